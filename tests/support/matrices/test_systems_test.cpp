// SPDX-License-Identifier: BSD-3-Clause
// Tests that the oracle notices the errors it is meant for.
#include "tests/support/matrices/test_systems.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace frond::testing {
namespace {

// [2 1; 0 4] x = (4, 8): x = (1, 2).
DenseMatrix<double> small_matrix() {
  DenseMatrix<double> a(2, 2);
  a(0, 0) = 2;
  a(0, 1) = 1;
  a(1, 1) = 4;
  return a;
}

DenseMatrix<double> column(double first, double second) {
  DenseMatrix<double> x(2, 1);
  x(0, 0) = first;
  x(1, 0) = second;
  return x;
}

// A planted error: residual (0, -1), norms 4, 2.25 and 8, |A| |x| + |b| = (8, 17).
TEST(DenseErrors, AreThoseOfTheirDefinition) {
  EXPECT_EQ(dense_backward_error(small_matrix(), column(1, 2), column(4, 8)), 0);
  EXPECT_EQ(dense_componentwise_error(small_matrix(), column(1, 2), column(4, 8)), 0);
  EXPECT_EQ(dense_componentwise_error(small_matrix(), column(0, 0), column(0, 0)), 0);
  EXPECT_DOUBLE_EQ(dense_backward_error(small_matrix(), column(0.875, 2.25), column(4, 8)), 1 / (4 * 2.25 + 8));
  EXPECT_DOUBLE_EQ(dense_componentwise_error(small_matrix(), column(0.875, 2.25), column(4, 8)), 1.0 / 17);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(dense_backward_error(small_matrix(), column(nan, 2), column(4, 8)) < 1);
  EXPECT_FALSE(dense_componentwise_error(small_matrix(), column(nan, 2), column(4, 8)) < 1);
  DenseMatrix<double> with_small_equation(2, 2);
  with_small_equation(0, 0) = 1;
  with_small_equation(1, 1) = 1e-9;
  EXPECT_EQ(dense_componentwise_error(with_small_equation, column(1, 0), column(1, 1e-9)), 1);
}

TEST(RandomMatrix, IsTheSameForTheSameSeed) {
  const auto first = random_matrix<double>(30, 3, Symmetry::symmetric, Flavour::zero_diagonal, 7);
  const auto second = random_matrix<double>(30, 3, Symmetry::symmetric, Flavour::zero_diagonal, 7);
  EXPECT_EQ(first.row_indices, second.row_indices);
  EXPECT_EQ(first.values, second.values);
}

TEST(Dense, MirrorsConjugated) {
  const auto matrix = random_matrix<std::complex<double>>(12, 3, Symmetry::hermitian, Flavour::dominant, 3);
  const auto plain = dense(matrix);
  const auto adjoint = dense(matrix, Operation::adjoint);
  EXPECT_EQ(plain.values, adjoint.values);
}

}  // namespace
}  // namespace frond::testing
