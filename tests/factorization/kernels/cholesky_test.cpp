// SPDX-License-Identifier: BSD-3-Clause
// Tests Cholesky of single fronts.
#include "factorization/kernels/cholesky.hpp"

#include <gtest/gtest.h>

#include "tests/support/errors.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/ranks/single_front.hpp"

namespace frond::test {
namespace {

template <class S>
class CholeskyKernelTest : public ::testing::Test {};
TYPED_TEST_SUITE(CholeskyKernelTest, Scalars);

TYPED_TEST(CholeskyKernelTest, ProductOfTheFactorsIsTheMatrix) {
  using S = TypeParam;
  for (const Index p : {1, 2, 7, 8, 9, 16, 17, 64, 127, 128, 129, 200, 300}) {
    for (const Index contribution : {0, 1, 40}) {
      SCOPED_TRACE(::testing::Message() << p << " of " << p + contribution);
      const DenseMatrix<S> a = front_matrix<S>(FrontKind::dominant, Symmetry::hermitian, p + contribution, p, 1);
      SingleFront<S> front(Method::cholesky, a, p);
      front.eliminate({}, contribution == 0);
      EXPECT_EQ(front.factor().num_eliminated, p);
      EXPECT_EQ(front.counts().positive, p);
      EXPECT_LT(front.error(), 1);
    }
  }
}

TYPED_TEST(CholeskyKernelTest, UpdatesContributionBlocksWiderThanAPanel) {
  using S = TypeParam;
  SingleFront<S> front(Method::cholesky, front_matrix<S>(FrontKind::dominant, Symmetry::hermitian, 440, 140, 2), 140);
  front.eliminate({}, false);
  EXPECT_LT(front.error(), 1);
}

TYPED_TEST(CholeskyKernelTest, NamesTheVariableWhoseFirstPivotIsNotPositive) {
  using S = TypeParam;
  for (const Index p : {1, 9, 128, 129, 260}) {
    for (const Index bad : {Index{0}, p / 2, p - 1}) {
      for (const double value : {-1.0, 0.0, 1e-9}) {  // the last one is below the null threshold
        SCOPED_TRACE(::testing::Message() << "p " << p << ", variable " << bad << ", diagonal " << value);
        DenseMatrix<S> a = front_matrix<S>(FrontKind::zero, Symmetry::hermitian, p, p, 3);
        for (Index i = 0; i < p; ++i) {
          a(i, i) = i == bad ? S(static_cast<RealOf<S>>(value)) : S(1);
        }
        SingleFront<S> front(Method::cholesky, a, p);
        const auto failure = testing::error_of<NotPositiveDefinite>(
            [&] { front.eliminate({.threshold = 0, .null = static_cast<RealOf<S>>(1e-8)}, true); });
        EXPECT_EQ(failure.variable, bad);
      }
    }
  }
}

}  // namespace
}  // namespace frond::test
