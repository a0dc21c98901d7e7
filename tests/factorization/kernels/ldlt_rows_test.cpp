// SPDX-License-Identifier: BSD-3-Clause
// Tests LDLT and LDLH of row-distributed fronts: factors, bounds, delayed columns, inertia, and that panels were really undone.
#include "factorization/kernels/ldlt_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "factorization/kernels/ldlt.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/random_matrix.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/ranks/row_distributed_front.hpp"

namespace frond::test {
namespace {

struct Seen {
  Count panels = 0;
  Count panels_undone = 0;
  Count two_by_two = 0;
  Count delayed = 0;
  Count delayed_by_one_process = 0;  // of the same fronts
};

// Pairs of fully summed variables [1, 0.5; 0.5, 0.28], weakly coupled to others, whose second columns are tiny on the slaves.
// Eliminating the first variable leaves 0.03 as pivot of the second and lets its column on the slaves grow to 0.5, more than the
// search trusts: the pivot looks acceptable with u = 0.1 and must be refused.
template <Scalar S>
DenseMatrix<S> growing_matrix(Symmetry symmetry, Index order, Index p) {
  using R = RealOf<S>;
  DenseMatrix<S> matrix = front_matrix<S>(FrontKind::random, symmetry, order, p, 43);
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < order; ++i) {
      const R factor = i >= p && j % 2 == 0 ? R(1) : R(1e-3);
      matrix(i, j) *= factor;
      if (i >= p) {
        matrix(j, i) *= factor;
      }
    }
    matrix(j, j) = j % 2 == 0 ? S(1) : S(R(0.28));
    if (j % 2 == 1) {
      matrix(j, j - 1) = matrix(j - 1, j) = S(R(0.5));
    }
  }
  return matrix;
}

template <class S>
class LdltRowsTest : public ::testing::Test {
 protected:
  static double bound(double threshold) { return (1 + 100 * std::numeric_limits<RealOf<S>>::epsilon()) / threshold; }

  static void checked(Method method, RowDistributedFront<S>& front, double threshold, Seen& seen) {
    front.eliminate(default_tolerances(front.gathered().matrix(), threshold));
    const DenseOracle<S> oracle = front.gathered().multiply_out();
    EXPECT_LT(oracle.error(front.gathered().matrix()), 1);
    EXPECT_LE(oracle.largest_multiplier(), bound(threshold));
    const FrontFactor<S>& factor = front.gathered().factor();
    const auto num_null = static_cast<Count>(front.counts().null_variables.size());
    EXPECT_EQ(num_null, std::count(factor.pivots, factor.pivots + factor.num_eliminated, PivotKind::null));
    EXPECT_EQ(front.counts().two_by_two, std::count(factor.pivots, factor.pivots + factor.num_eliminated, PivotKind::two_by_two));
    EXPECT_EQ(front.counts().positive + front.counts().negative + num_null, factor.num_eliminated);
    seen.panels += front.protocol().panels;
    seen.panels_undone += front.protocol().panels_undone;
    seen.two_by_two += front.counts().two_by_two;
    seen.delayed += factor.num_delayed();
    SingleFront<S> one(method, front.gathered().matrix(), factor.num_fully_summed);
    one.eliminate(default_tolerances(one.matrix(), threshold), false);
    seen.delayed_by_one_process += one.factor().num_delayed();
  }

  static void checked(Method method, FrontKind kind, Index p, Index contribution, double threshold, const RowPartition& partition,
                      Seen& seen) {
    SCOPED_TRACE(::testing::Message() << p << " of " << p + contribution << ", " << name_of(kind) << ", u " << threshold << ", "
                                      << to_string(partition));
    RowDistributedFront<S> front(method, front_matrix<S>(kind, symmetry_of(method), p + contribution, p, 7), p, partition);
    checked(method, front, threshold, seen);
  }
};
TYPED_TEST_SUITE(LdltRowsTest, Scalars);

TYPED_TEST(LdltRowsTest, FactorsAreExactAndBoundedForEveryKindOfMatrix) {
  Seen seen;
  for (const Method method : kIndefiniteMethods) {
    for (const FrontKind kind : kIndefiniteKinds) {
      for (const Index p : {1, 5, 40, 130}) {
        for (const Index contribution : {1, 37}) {
          for (const double threshold : {0.01, 0.3}) {
            for (const RowPartition& partition : irregular_partitions(contribution, 37)) {
              this->checked(method, kind, p, contribution, threshold, partition, seen);
            }
          }
        }
      }
    }
  }
  EXPECT_GT(seen.two_by_two, 0);
  EXPECT_GT(seen.delayed, 0);
  EXPECT_LE(20 * seen.delayed, 21 * seen.delayed_by_one_process);
}

TYPED_TEST(LdltRowsTest, AnyPartitionWillDo) {
  Seen seen;
  for (const Method method : kIndefiniteMethods) {
    for (const RowPartition& partition : all_partitions(5)) {
      this->checked(method, FrontKind::saddle, 20, 5, 0.1, partition, seen);
      this->checked(method, FrontKind::random, 140, 5, 0.1, partition, seen);
    }
  }
}

TYPED_TEST(LdltRowsTest, DelayedColumnsKeepTheMastersOrderOverManyPanels) {
  for (const Method method : kIndefiniteMethods) {
    for (const RowPartition& partition : irregular_partitions(150, 39)) {
      Seen seen;
      this->checked(method, FrontKind::tiny_columns, 300, 150, 0.1, partition, seen);
      this->checked(method, FrontKind::zero_diagonal, 300, 150, 0.3, partition, seen);
      EXPECT_GT(seen.delayed, 0);
    }
  }
}

TYPED_TEST(LdltRowsTest, UndoesWhatTheSlavesRefuse) {
  using S = TypeParam;
  for (const Method method : kIndefiniteMethods) {
    for (const Index p : {2, 9, 40, 150, 300}) {
      for (const RowPartition& partition : irregular_partitions(60, 45)) {
        SCOPED_TRACE(::testing::Message() << p << ", " << to_string(partition));
        RowDistributedFront<S> front(method, growing_matrix<S>(symmetry_of(method), p + 60, p), p, partition);
        Seen seen;
        this->checked(method, front, 0.1, seen);
        EXPECT_GT(seen.panels_undone, 0);
      }
    }
  }
}

TYPED_TEST(LdltRowsTest, RefusedPanelsLeaveTheBitsThatWereThere) {
  using S = TypeParam;
  constexpr Index kOrder = 40;
  for (const Method method : kIndefiniteMethods) {
    SingleFront<S> front(method, front_matrix<S>(FrontKind::random, symmetry_of(method), kOrder, kOrder, 47), kOrder);
    const DenseMatrix<S>& a = front.matrix();
    const PivotTolerances<RealOf<S>> tolerances = default_tolerances(a);
    std::mt19937 random(49);
    const std::vector<S> outside = random_vector<S>(3 * kOrder, random);
    std::vector<S> lower = outside;
    std::vector<S> cb(9);
    LdltKernel<S> master(front.factor(), method == Method::ldlh, tolerances);
    LdltRows<S> slave({0, {lower.data(), 3, kOrder, 3}, {cb.data(), 3, 3, 3}}, method == Method::ldlh, tolerances,
                      run_as_one_chunk);
    master.start_panel(0, slave.column_maxima());
    const Index num_pivots = master.eliminate_panel(0, 24);
    ASSERT_GT(num_pivots, 0);
    const LdltPanel<S> panel = master.panel(0, num_pivots);
    static_cast<void>(slave.verify(panel));
    EXPECT_NE(lower, outside);
    static_cast<void>(slave.commit(panel, 0));
    EXPECT_EQ(master.keep_verified(0), 0);
    EXPECT_EQ(master.counts().positive + master.counts().negative + master.counts().two_by_two, 0);
    for (Index j = 0; j < kOrder; ++j) {
      const Index col = front.factor().row_variables[j];
      for (Index i = 0; i < 3; ++i) {
        EXPECT_EQ(lower[3 * j + i], outside[3 * col + i]);
      }
      for (Index i = j; i < kOrder && j < 24; ++i) {
        EXPECT_EQ(front.factor().lower[front.factor().layout.column_offset(j) + i], a(front.factor().row_variables[i], col));
      }
    }
  }
}

TYPED_TEST(LdltRowsTest, InertiaIsThatOfTheEigenvaluesAndOfOneProcess) {
  using S = TypeParam;
  Index num_equal = 0;
  for (const FrontKind kind :
       {FrontKind::random, FrontKind::zero_diagonal, FrontKind::saddle, FrontKind::dominant, FrontKind::tiny_columns}) {
    for (const Index p : {1, 9, 70}) {
      for (const RowPartition& partition : irregular_partitions(13, 41)) {
        SCOPED_TRACE(::testing::Message() << p << ", " << name_of(kind) << ", " << to_string(partition));
        const DenseMatrix<S> a = front_matrix<S>(kind, Symmetry::hermitian, p + 13, p, 13);
        RowDistributedFront<S> front(Method::ldlh, a, p, partition);
        Seen seen;
        this->checked(Method::ldlh, front, 0.1, seen);
        // inertia(A) = inertia(pivots) + inertia(remainder), Haynsworth 1968; eliminated variables are zero rows of the remainder
        const EigenvalueSigns whole = eigenvalue_signs(a, 0);
        const EigenvalueSigns left = eigenvalue_signs(front.gathered().multiply_out().remainder(), 1e-13);
        EXPECT_EQ(left.zero, front.gathered().factor().num_eliminated);
        EXPECT_EQ(front.counts().positive + left.positive, whole.positive);
        EXPECT_EQ(front.counts().negative + left.negative, whole.negative);
        SingleFront<S> one(Method::ldlh, a, p);
        one.eliminate(default_tolerances(a, 0.1), false);
        if (one.factor().num_eliminated == p && seen.delayed == 0) {
          ++num_equal;
          EXPECT_EQ(front.counts().positive, one.counts().positive);
          EXPECT_EQ(front.counts().negative, one.counts().negative);
        }
      }
    }
  }
  EXPECT_GT(num_equal, 0);
}

TYPED_TEST(LdltRowsTest, NamesZeroColumns) {
  using S = TypeParam;
  for (const Method method : kIndefiniteMethods) {
    RowDistributedFront<S> front(method, front_matrix<S>(FrontKind::zero_columns, symmetry_of(method), 40, 30, 17), 30, {0, 3, 10});
    Seen seen;
    this->checked(method, front, 0.01, seen);
    const std::vector<Index>& null_variables = front.counts().null_variables;
    EXPECT_EQ(std::set<Index>(null_variables.begin(), null_variables.end()), (std::set<Index>{0, 4, 8, 12, 16, 20, 24, 28}));
  }
}

TYPED_TEST(LdltRowsTest, OraclesNoticePlantedMistakes) {
  using S = TypeParam;
  for (const Method method : kIndefiniteMethods) {
    for (const Fault fault : {Fault::lost_exchanges, Fault::lost_rows, Fault::forgotten_undo, Fault::ignored_verdict}) {
      SCOPED_TRACE(static_cast<int>(fault));
      RowDistributedFront<S> front(method, growing_matrix<S>(symmetry_of(method), 210, 150), 150, {0, 20, 60});
      front.eliminate(default_tolerances(front.gathered().matrix(), 0.1), fault);
      if (fault == Fault::ignored_verdict) {
        EXPECT_FALSE(front.gathered().multiply_out().largest_multiplier() <= this->bound(0.1));
      } else {
        EXPECT_FALSE(front.gathered().error() < 1);
      }
    }
  }
}

}  // namespace
}  // namespace frond::test
