// SPDX-License-Identifier: BSD-3-Clause
// Tests LU of single fronts: factors, bounds, delayed rows and rank.
#include "factorization/kernels/lu.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <vector>

#include "tests/support/matrices/scalars.hpp"
#include "tests/support/ranks/single_front.hpp"

namespace frond::test {
namespace {

template <class S>
class LuKernelTest : public ::testing::Test {
 protected:
  static SingleFront<S>& checked(SingleFront<S>& front, double threshold, bool is_root) {
    front.eliminate(default_tolerances(front.matrix(), threshold), is_root);
    const DenseOracle<S> oracle = front.multiply_out();
    EXPECT_LT(oracle.error(front.matrix()), 1);
    EXPECT_LE(oracle.largest_multiplier(), (1 + 100 * std::numeric_limits<RealOf<S>>::epsilon()) / threshold);
    return front;
  }
};
TYPED_TEST_SUITE(LuKernelTest, Scalars);

TYPED_TEST(LuKernelTest, FactorsAreExactAndBoundedForEverySize) {
  using S = TypeParam;
  for (const Index p : {1, 2, 7, 8, 9, 16, 17, 64, 127, 128, 129, 200, 300}) {
    for (const Index contribution : {0, 1, 40, 150}) {
      for (const FrontKind kind : {FrontKind::random, FrontKind::zero_diagonal, FrontKind::tiny_columns}) {
        SCOPED_TRACE(::testing::Message() << p << " of " << p + contribution << ", " << name_of(kind));
        SingleFront<S> front(Method::lu, front_matrix<S>(kind, Symmetry::general, p + contribution, p, 5), p);
        this->checked(front, 0.01, contribution == 0);
        EXPECT_TRUE(contribution > 0 || front.factor().num_eliminated == p);
      }
    }
  }
}

TYPED_TEST(LuKernelTest, FactorsAreExactAndBoundedForEveryKindOfMatrix) {
  using S = TypeParam;
  for (const FrontKind kind : kIndefiniteKinds) {
    for (const Index p : {5, 16, 40, 150}) {
      for (const Index contribution : {0, 3, 60}) {
        for (const double threshold : {0.01, 0.3, 1.0}) {
          SCOPED_TRACE(::testing::Message() << p << " of " << p + contribution << ", " << name_of(kind) << ", u " << threshold);
          SingleFront<S> front(Method::lu, front_matrix<S>(kind, Symmetry::general, p + contribution, p, 7), p);
          // |re| + |im| selects the pivot, whose modulus may be smaller by sqrt(2)
          this->checked(front, contribution == 0 ? std::min(threshold, 0.7) : threshold, contribution == 0);
          EXPECT_TRUE(contribution > 0 || front.factor().num_eliminated == p);
        }
      }
    }
  }
}

TYPED_TEST(LuKernelTest, DelaysWhatTheContributionColumnsForbid) {
  using S = TypeParam;
  SingleFront<S> block(Method::lu, front_matrix<S>(FrontKind::zero_block, Symmetry::general, 50, 20, 9), 20);
  EXPECT_EQ(this->checked(block, 0.01, false).factor().num_eliminated, 0);
  SingleFront<S> columns(Method::lu, front_matrix<S>(FrontKind::tiny_columns, Symmetry::general, 170, 150, 9), 150);
  const Index num_eliminated = this->checked(columns, 0.01, false).factor().num_eliminated;
  EXPECT_GE(num_eliminated, 80);
  EXPECT_LT(num_eliminated, 150);
}

TYPED_TEST(LuKernelTest, ReportsTheRankAtARoot) {
  using S = TypeParam;
  for (const Index p : {2, 9, 16, 40, 129}) {
    SCOPED_TRACE(p);
    SingleFront<S> front(Method::lu, front_matrix<S>(FrontKind::low_rank, Symmetry::general, p, p, 15), p);
    PivotTolerances<RealOf<S>> tolerances = default_tolerances(front.matrix());
    tolerances.null *= static_cast<RealOf<S>>(p);
    front.eliminate(tolerances, true);
    EXPECT_EQ(front.factor().num_eliminated, p);
    EXPECT_EQ(front.counts().null_variables.size(), static_cast<std::size_t>(p - (p + 1) / 2));
    EXPECT_LT(front.error(), 10);
  }
}

TYPED_TEST(LuKernelTest, NamesZeroRowsAtARoot) {
  using S = TypeParam;
  SingleFront<S> front(Method::lu, front_matrix<S>(FrontKind::zero_columns, Symmetry::general, 30, 30, 17), 30);
  const std::vector<Index>& null_variables = this->checked(front, 0.01, true).counts().null_variables;
  EXPECT_EQ(std::set<Index>(null_variables.begin(), null_variables.end()), (std::set<Index>{0, 4, 8, 12, 16, 20, 24, 28}));
}

}  // namespace
}  // namespace frond::test
