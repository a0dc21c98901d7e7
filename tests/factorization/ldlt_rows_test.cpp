// SPDX-License-Identifier: BSD-3-Clause
// LDLT and LDLH of row-distributed fronts: factors, bounds, delayed columns, inertia, and that panels were really undone.
#include "factorization/kernels/ldlt_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "tests/factorization/row_distributed_front.hpp"
#include "tests/factorization/scalars.hpp"

namespace frond::test {
namespace {

constexpr Method kMethods[] = {Method::ldlt, Method::ldlh};

struct Seen {
  Count panels = 0;
  Count panels_undone = 0;
  Count two_by_two = 0;
  Count delayed = 0;
};

template <class S>
class LdltRowsTest : public ::testing::Test {
 protected:
  static double bound(double threshold) { return (1 + 100 * std::numeric_limits<RealOf<S>>::epsilon()) / threshold; }

  static void checked(RowDistributedFront<S>& front, double threshold, Seen& seen) {
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
  }

  static void checked(Method method, FrontKind kind, Index p, Index contribution, double threshold, const RowPartition& partition,
                      Seen& seen) {
    SCOPED_TRACE(testing::Message() << p << " of " << p + contribution << ", " << name_of(kind) << ", u " << threshold << ", "
                                    << to_string(partition));
    RowDistributedFront<S> front(method, front_matrix<S>(kind, symmetry_of(method), p + contribution, p, 7), p, partition);
    checked(front, threshold, seen);
  }
};
TYPED_TEST_SUITE(LdltRowsTest, Scalars);

TYPED_TEST(LdltRowsTest, FactorsAreExactAndBoundedForEveryKindOfMatrix) {
  Seen seen;
  for (const Method method : kMethods) {
    for (const FrontKind kind : kIndefiniteKinds) {
      for (const Index p : {1, 5, 40, 150}) {
        for (const Index contribution : {1, 7, 60}) {
          for (const double threshold : {0.01, 0.3}) {
            for (const RowPartition& partition : irregular_partitions(contribution, 37)) {
              this->checked(method, kind, p, contribution, threshold, partition, seen);
            }
          }
        }
      }
    }
  }
  EXPECT_GT(seen.panels_undone, 0);
  EXPECT_GT(seen.two_by_two, 0);
  EXPECT_GT(seen.delayed, 0);
  this->RecordProperty("panels", std::to_string(seen.panels));
  this->RecordProperty("panels_undone", std::to_string(seen.panels_undone));
}

TYPED_TEST(LdltRowsTest, AnyPartitionWillDo) {
  Seen seen;
  for (const Method method : kMethods) {
    for (const RowPartition& partition : all_partitions(5)) {
      this->checked(method, FrontKind::saddle, 20, 5, 0.1, partition, seen);
      this->checked(method, FrontKind::random, 140, 5, 0.1, partition, seen);
    }
  }
}

TYPED_TEST(LdltRowsTest, DelayedColumnsKeepTheMastersOrderOverManyPanels) {
  for (const Method method : kMethods) {
    for (const RowPartition& partition : irregular_partitions(150, 39)) {
      Seen seen;
      this->checked(method, FrontKind::tiny_columns, 300, 150, 0.1, partition, seen);
      this->checked(method, FrontKind::zero_diagonal, 300, 150, 0.3, partition, seen);
      EXPECT_GT(seen.delayed, 0);
      EXPECT_GT(seen.panels_undone, 0);
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
        SCOPED_TRACE(testing::Message() << p << ", " << name_of(kind) << ", " << to_string(partition));
        const DenseMatrix<S> a = front_matrix<S>(kind, Symmetry::hermitian, p + 13, p, 13);
        RowDistributedFront<S> front(Method::ldlh, a, p, partition);
        Seen seen;
        this->checked(front, 0.1, seen);
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
  for (const Method method : kMethods) {
    RowDistributedFront<S> front(method, front_matrix<S>(FrontKind::zero_columns, symmetry_of(method), 40, 30, 17), 30, {0, 3, 10});
    Seen seen;
    this->checked(front, 0.01, seen);
    const std::vector<Index>& null_variables = front.counts().null_variables;
    EXPECT_EQ(std::set<Index>(null_variables.begin(), null_variables.end()), (std::set<Index>{0, 4, 8, 12, 16, 20, 24, 28}));
  }
}

TYPED_TEST(LdltRowsTest, OraclesNoticePlantedMistakes) {
  using S = TypeParam;
  for (const Method method : kMethods) {
    for (const Fault fault : {Fault::lost_exchanges, Fault::lost_rows, Fault::forgotten_undo, Fault::ignored_verdict}) {
      SCOPED_TRACE(static_cast<int>(fault));
      RowDistributedFront<S> front(method, front_matrix<S>(FrontKind::zero_diagonal, symmetry_of(method), 300, 150, 7), 150,
                                   {0, 60, 150});
      front.eliminate(default_tolerances(front.gathered().matrix(), 0.3), fault);
      if (fault == Fault::ignored_verdict) {
        EXPECT_FALSE(front.gathered().multiply_out().largest_multiplier() <= this->bound(0.3));
      } else {
        EXPECT_FALSE(front.gathered().error() < 1);
      }
    }
  }
}

}  // namespace
}  // namespace frond::test
