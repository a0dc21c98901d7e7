// SPDX-License-Identifier: BSD-3-Clause
// Tests orthonormal bases, of dependent columns as well.
#include "solver/numerics/answers/orthonormalize.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/dense/dense_algebra.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

template <class S>
class Orthonormalize : public ::testing::Test {};
TYPED_TEST_SUITE(Orthonormalize, test::Scalars);

TYPED_TEST(Orthonormalize, DependentColumnsAsWell) {
  using S = TypeParam;
  DenseMatrix<S> z = testing::random_dense<S>(9, 4, 2);
  std::copy_n(z.column(0).begin(), 9, z.column(2).begin());
  orthonormalize<S>({z.values.data(), 9, 4, 9});
  EXPECT_LE(test::distance_from_orthonormal(z), 20 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()));
}

}  // namespace
}  // namespace frond
