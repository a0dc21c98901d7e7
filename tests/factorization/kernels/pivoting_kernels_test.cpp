// SPDX-License-Identifier: BSD-3-Clause
// Tests L D L^T, L D L^H and LU of single fronts: factors, bounds, delayed rows and columns, inertia and rank.
#include "factorization/kernels/ldlt.hpp"
#include "factorization/kernels/lu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/ranks/single_front.hpp"

namespace frond::test {
namespace {

template <class S>
class PivotingKernelTest : public ::testing::Test {
 protected:
  static constexpr double kTolerance = 1;

  static SingleFront<S>& checked(SingleFront<S>& front, double threshold, bool is_root) {
    front.eliminate(default_tolerances(front.matrix(), threshold), is_root);
    const DenseOracle<S> oracle = front.multiply_out();
    EXPECT_LT(oracle.error(front.matrix()), kTolerance);
    EXPECT_LE(oracle.largest_multiplier(), (1 + 100 * std::numeric_limits<RealOf<S>>::epsilon()) / threshold);
    if (front.factor().row_variables == front.factor().col_variables) {  // not LU
      expect_counts_fit(front);
    }
    return front;
  }

  // Eliminated variables are zero rows of the remainder and add as many zero eigenvalues.
  static EigenvalueSigns signs_of_rest(const DenseMatrix<Wide<S>>& remainder, Index num_eliminated) {
    EigenvalueSigns signs = eigenvalue_signs(remainder, 1e-13);
    EXPECT_EQ(signs.zero, num_eliminated);
    return signs;
  }

  static void expect_counts_fit(const SingleFront<S>& front) {
    const FrontFactor<S>& factor = front.factor();
    const auto num_null = static_cast<Count>(front.counts().null_variables.size());
    EXPECT_EQ(num_null, std::count(factor.pivots, factor.pivots + factor.num_eliminated, PivotKind::null));
    EXPECT_EQ(front.counts().two_by_two, std::count(factor.pivots, factor.pivots + factor.num_eliminated, PivotKind::two_by_two));
    EXPECT_EQ(front.counts().positive + front.counts().negative + num_null, factor.num_eliminated);
    for (Index k = 0; k < factor.num_eliminated; ++k) {
      if (factor.pivots[k] == PivotKind::two_by_two) {
        ASSERT_LT(k + 1, factor.num_eliminated);
        EXPECT_EQ(factor.pivots[k + 1], PivotKind::second_of_two);
      }
    }
  }
};
TYPED_TEST_SUITE(PivotingKernelTest, Scalars);

TYPED_TEST(PivotingKernelTest, FactorsAreExactAndBoundedForEverySize) {
  using S = TypeParam;
  for (const Method method : kPivotingMethods) {
    for (const Index p : {1, 2, 7, 8, 9, 16, 17, 64, 127, 128, 129, 200, 300}) {
      for (const Index contribution : method == Method::lu ? std::vector{0, 1, 40, 150} : std::vector{0, 1, 40}) {
        for (const FrontKind kind : {FrontKind::random, FrontKind::zero_diagonal, FrontKind::tiny_columns}) {
          SCOPED_TRACE(::testing::Message() << p << " of " << p + contribution << ", " << name_of(kind));
          SingleFront<S> front(method, front_matrix<S>(kind, symmetry_of(method), p + contribution, p, 5), p);
          this->checked(front, 0.01, contribution == 0);
          EXPECT_TRUE(contribution > 0 || front.factor().num_eliminated == p);
        }
      }
    }
  }
}

TYPED_TEST(PivotingKernelTest, FactorsAreExactAndBoundedForEveryKindOfMatrix) {
  using S = TypeParam;
  for (const Method method : kPivotingMethods) {
    for (const FrontKind kind : kIndefiniteKinds) {
      for (const Index p : {5, 16, 40, 150}) {
        for (const Index contribution : {0, 3, 60}) {
          std::vector<double> thresholds = {0.01, 0.3};
          if (method == Method::lu) {  // |re| + |im| selects its pivots, whose modulus may be smaller by sqrt(2)
            thresholds.push_back(contribution == 0 ? 0.7 : 1.0);
          }
          for (const double threshold : thresholds) {
            SCOPED_TRACE(::testing::Message() << p << " of " << p + contribution << ", " << name_of(kind) << ", u " << threshold);
            SingleFront<S> front(method, front_matrix<S>(kind, symmetry_of(method), p + contribution, p, 7), p);
            this->checked(front, threshold, contribution == 0);
            EXPECT_TRUE(contribution > 0 || front.factor().num_eliminated == p);
          }
        }
      }
    }
  }
}

TYPED_TEST(PivotingKernelTest, TakesTwoByTwoPivotsWhereTheDiagonalIsZero) {
  using S = TypeParam;
  for (const Method method : kIndefiniteMethods) {
    SingleFront<S> front(method, front_matrix<S>(FrontKind::zero_diagonal, symmetry_of(method), 60, 60, 9), 60);
    EXPECT_GT(this->checked(front, 0.01, true).counts().two_by_two, 0);
  }
}

TYPED_TEST(PivotingKernelTest, DelaysWhatTheContributionForbids) {
  using S = TypeParam;
  for (const Method method : kPivotingMethods) {
    SingleFront<S> block(method, front_matrix<S>(FrontKind::zero_block, symmetry_of(method), 50, 20, 9), 20);
    EXPECT_EQ(this->checked(block, 0.01, false).factor().num_eliminated, 0);
    SingleFront<S> columns(method, front_matrix<S>(FrontKind::tiny_columns, symmetry_of(method), 170, 150, 9), 150);
    const Index num_eliminated = this->checked(columns, 0.01, false).factor().num_eliminated;
    EXPECT_GE(num_eliminated, 80);
    EXPECT_LT(num_eliminated, 150);
  }
}

// The search assumes that entries below the block at most double inside a panel. Here one goes from 1 to -49: the second pivot,
// 0.1, looks large enough compared with 2, but not with 49.
TYPED_TEST(PivotingKernelTest, TakesBackPivotsThatTheRowsBelowRefuse) {
  using S = TypeParam;
  for (const Method method : kIndefiniteMethods) {
    DenseMatrix<S> a(13, 13);
    for (Index i = 0; i < 13; ++i) {
      a(i, i) = S(i < 10 ? 10 : 1);
    }
    a(0, 0) = S(1);
    a(1, 1) = S(1.1F);
    a(1, 0) = a(0, 1) = S(1);
    a(12, 0) = a(0, 12) = S(50);
    a(12, 1) = a(1, 12) = S(1);
    a(5, 1) = a(1, 5) = S(0.5F);
    SingleFront<S> front(method, a, 10);
    const FrontFactor<S>& factor = this->checked(front, 0.01, false).factor();
    EXPECT_EQ(factor.num_eliminated, 9);
    EXPECT_EQ(factor.row_variables[9], 1);
  }
}

TYPED_TEST(PivotingKernelTest, InertiaIsThatOfTheEigenvalues) {
  using S = TypeParam;
  for (const FrontKind kind :
       {FrontKind::random, FrontKind::zero_diagonal, FrontKind::saddle, FrontKind::dominant, FrontKind::tiny_columns}) {
    for (const Index p : {1, 2, 9, 33, 70}) {
      for (const Index contribution : {0, 13}) {
        SCOPED_TRACE(::testing::Message() << p << " of " << p + contribution << ", " << name_of(kind));
        const DenseMatrix<S> a = front_matrix<S>(kind, Symmetry::hermitian, p + contribution, p, 13);
        SingleFront<S> front(Method::ldlh, a, p);
        this->checked(front, 0.01, contribution == 0);
        // inertia(A) = inertia(pivots) + inertia(remainder), Haynsworth 1968
        const EigenvalueSigns whole = eigenvalue_signs(a, 0);
        const DenseMatrix<Wide<S>> remainder = front.multiply_out().remainder();
        const EigenvalueSigns left = this->signs_of_rest(remainder, front.factor().num_eliminated);
        EXPECT_EQ(front.counts().positive + left.positive, whole.positive);
        EXPECT_EQ(front.counts().negative + left.negative, whole.negative);
      }
    }
  }
}

TYPED_TEST(PivotingKernelTest, ReportsTheRankAtARoot) {
  using S = TypeParam;
  for (const Method method : kPivotingMethods) {
    for (const Index p : {2, 9, 16, 40, 129}) {
      SCOPED_TRACE(p);
      SingleFront<S> front(method, front_matrix<S>(FrontKind::low_rank, symmetry_of(method), p, p, 15), p);
      const DenseMatrix<S>& a = front.matrix();
      // small u: growth of LDLT makes rounding larger than `null`
      PivotTolerances<RealOf<S>> tolerances = default_tolerances(a, method == Method::lu ? 0.01 : 0.5);
      tolerances.null *= static_cast<RealOf<S>>(p);
      front.eliminate(tolerances, true);
      EXPECT_EQ(front.factor().num_eliminated, p);
      EXPECT_EQ(front.counts().null_variables.size(), static_cast<std::size_t>(p - (p + 1) / 2));
      EXPECT_LT(front.error(), 10);
    }
  }
}

TYPED_TEST(PivotingKernelTest, NamesZeroColumns) {
  using S = TypeParam;
  for (const Method method : kPivotingMethods) {
    for (const Index contribution : method == Method::lu ? std::vector{0} : std::vector{0, 10}) {  // LDLT does so below the root
      SingleFront<S> front(method, front_matrix<S>(FrontKind::zero_columns, symmetry_of(method), 30 + contribution, 30, 17), 30);
      const std::vector<Index>& null_variables = this->checked(front, 0.01, contribution == 0).counts().null_variables;
      EXPECT_EQ(std::set<Index>(null_variables.begin(), null_variables.end()), (std::set<Index>{0, 4, 8, 12, 16, 20, 24, 28}));
    }
  }
}

TYPED_TEST(PivotingKernelTest, HermitianPivotsAreReal) {
  using S = TypeParam;
  SingleFront<S> front(Method::ldlh, front_matrix<S>(FrontKind::random, Symmetry::hermitian, 60, 60, 19), 60);
  this->checked(front, 0.01, true);
  for (Index k = 0; k < 60; ++k) {
    EXPECT_EQ(std::imag(front.factor().d[2 * k]), 0);
  }
}

}  // namespace
}  // namespace frond::test
