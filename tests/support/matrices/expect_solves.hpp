// SPDX-License-Identifier: BSD-3-Clause
// Checks that factors solve, in one process or on ranks.
#pragma once

#include <gtest/gtest.h>

#include <limits>

#include "frond/factorization.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::testing {

/// Solves op(A) X = B for a random B, and expects a solution that the dense matrix confirms; returns X. On ranks, all of them make
/// the call, and get X.
template <Scalar S>
DenseMatrix<S> expect_solves(const Factorization<S>& factorization, const SparseMatrix<S>& matrix,
                             Operation operation = Operation::plain, Index num_columns = 2, std::uint64_t seed = 7) {
  const DenseMatrix<S> b = random_dense<S>(matrix.num_rows, num_columns, seed);
  DenseMatrix<S> x(matrix.num_rows, num_columns);
  const SolveReport report = factorization.solve(view_of(b), view_of(x), operation);
  EXPECT_EQ(report.verdict, Verdict::solved) << report.describe();
  EXPECT_EQ(report.columns.size(), static_cast<std::size_t>(num_columns));
  EXPECT_LE(dense_backward_error(dense(matrix, operation), x, b),
            20 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()));
  return x;
}

}  // namespace frond::testing
