// SPDX-License-Identifier: BSD-3-Clause
// Checks the errors of small systems against values computed by hand.
#include "tests/cross/long_double_error.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <vector>

namespace frond::test {
namespace {

// [ 4 2 ]
// [ 2 1 ], of which the lower triangle is stored
SparseMatrix<double> two_by_two(Symmetry symmetry) { return {2, 2, symmetry, {0, 2, 3}, {0, 1, 1}, {4, 2, 1}}; }

double error_of(const SparseMatrix<double>& matrix, const std::vector<double>& x, const std::vector<double>& b) {
  return long_double_backward_error<double>(matrix, x, b);
}

TEST(LongDoubleBackwardErrorTest, CountsMirrorImages) {
  EXPECT_EQ(error_of(two_by_two(Symmetry::symmetric), {1, 3}, {10, 5}), 0);
  EXPECT_EQ(error_of(two_by_two(Symmetry::general), {1, 3}, {4, 5}), 0);
  const SparseMatrix<double> skew{2, 2, Symmetry::skew_symmetric, {0, 1, 1}, {1}, {2}};
  EXPECT_EQ(error_of(skew, {1, 3}, {-6, 2}), 0);
  using C = std::complex<double>;
  const SparseMatrix<C> hermitian{2, 2, Symmetry::hermitian, {0, 1, 1}, {1}, {C(0, 1)}};
  EXPECT_EQ(long_double_backward_error<C>(hermitian, std::vector<C>{1, 3}, std::vector<C>{C(0, -3), C(0, 1)}), 0);
}

TEST(LongDoubleBackwardErrorTest, IsResidualOverScale) {
  // Residual (0, 2), ||A|| = 6, ||x|| = 3, ||b|| = 10.
  EXPECT_DOUBLE_EQ(error_of(two_by_two(Symmetry::symmetric), {1, 3}, {10, 7}), 2.0 / 28);
}

TEST(LongDoubleBackwardErrorTest, IsInfiniteForNoNumber) {
  EXPECT_EQ(error_of(two_by_two(Symmetry::symmetric), {std::numeric_limits<double>::quiet_NaN(), 3}, {10, 5}),
            std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace frond::test
