// SPDX-License-Identifier: BSD-3-Clause
// Tests known solutions, condition numbers and differences.
#include "tests/cross/one_process.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "frond/matrix.hpp"

namespace frond::test {
namespace {

TEST(OneProcess, SolvesAndTellsTheCondition) {
  const SparseMatrix<double> matrix = compress(Triplets<double>{2, 2, Symmetry::symmetric, {0, 1, 1}, {0, 0, 1}, {1, 3, 1}});
  const std::vector<double> b = {7, 5};
  const OneProcess<double> one = solve_in_one_process<double>(matrix, b);
  EXPECT_EQ(one.report.method, Method::ldlt);
  EXPECT_EQ(one.report.factorization.inertia.negative, 1);
  EXPECT_NEAR(one.x[0], 1, 1e-15);
  EXPECT_NEAR(one.x[1], 2, 1e-15);
  EXPECT_NEAR(one.condition, 2, 1e-14);  // the norms are 4 and 1/2
}

TEST(RelativeDifference, IsMeasuredByTheLargestEntry) {
  const std::vector<double> y = {1, -8};
  EXPECT_EQ(relative_difference<double>(y, y), 0);
  EXPECT_EQ(relative_difference<double>(std::vector<double>{3, -8}, y), 0.25);
  EXPECT_EQ(relative_difference<double>(std::vector<double>{1, std::nan("")}, y), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace frond::test
