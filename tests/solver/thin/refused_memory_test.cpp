// SPDX-License-Identifier: BSD-3-Clause
// Refuses one allocation after the other to systems without fronts: fronts take over.
#include <gtest/gtest.h>

#include <new>
#include <optional>
#include <utility>

#include "frond/factorization.hpp"
#include "solver/thin/thin_analysis.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/programs/memory_refusal.hpp"
#include "tests/support/thin_options.hpp"

namespace frond {
namespace {

using test::allocations_until_refusal;

// The objects of the call itself are the only ones without which it cannot go on.
void expect_fall_back(const SparseMatrix<double>& matrix) {
  const Analysis analysis = analyze(matrix, testing::with_thin(Use::always));
  ASSERT_TRUE(analysis.thin());
  const DenseMatrix<double> b = testing::random_dense<double>(matrix.num_rows, 1, 2);
  int num_fallen_back = 0;
  int num_thrown = 0;
  for (int allocation = 1;; ++allocation) {
    std::optional<Factorization<double>> factorization;
    allocations_until_refusal = allocation;
    try {
      factorization.emplace(analysis, matrix);
    } catch (const std::bad_alloc&) {
      ++num_thrown;
    }
    if (std::exchange(allocations_until_refusal, 0) > 0) {
      break;  // there are no more
    }
    if (factorization) {
      DenseMatrix<double> x(matrix.num_rows, 1);
      EXPECT_EQ(factorization->solve(view_of(b), view_of(x)).verdict, Verdict::solved) << "allocation " << allocation;
      EXPECT_LE(testing::dense_componentwise_error(testing::dense(matrix), x, b), 1e-14);
      num_fallen_back += factorization->analysis().thin() ? 0 : 1;
    }
  }
  EXPECT_GE(num_fallen_back, 5);
  EXPECT_LE(num_thrown, 2);
}

TEST(ThinMemory, IsThatOfFrontsWhereItIsRefused) {
  expect_fall_back(testing::random_matrix<double>(60, 4, Symmetry::general, testing::Flavour::dominant, 3));
  expect_fall_back(testing::laplacian<double>(4));
}

}  // namespace
}  // namespace frond
