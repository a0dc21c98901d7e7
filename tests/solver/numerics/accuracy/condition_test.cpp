// SPDX-License-Identifier: BSD-3-Clause
// Tests the condition estimate against the norm of the inverse, computed column by column.
#include "solver/numerics/accuracy/condition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>

#include "factorization/factorize.hpp"
#include "solver/numerics/sweeps/solve.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

// Returns the largest column sum of magnitudes.
template <Scalar S>
double dense_one_norm(const DenseMatrix<S>& matrix) {
  double largest = 0;
  for (Index j = 0; j < matrix.num_cols; ++j) {
    double sum = 0;
    for (const S value : matrix.column(j)) {
      sum += static_cast<double>(std::abs(value));
    }
    largest = std::max(largest, sum);
  }
  return largest;
}

template <class S>
class ConditionOf : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(ConditionOf, Scalars);

TYPED_TEST(ConditionOf, IsALowerBoundWithinAFactorOfThree) {
  using S = TypeParam;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const Index n = 40;
    const auto matrix = testing::random_matrix<S>(n, 3, Symmetry::general, testing::Flavour::zero_diagonal, seed);
    const auto symbolic = analyze(matrix.pattern());
    const auto result = factorize<S>(symbolic, Method::lu, matrix.values, {}, {}, FactorizationOptions());
    const SolvePlan plan(symbolic->tree());
    DenseMatrix<S> inverse(n, n);
    for (Index j = 0; j < n; ++j) {
      inverse(j, j) = S(1);
    }
    solve_with_factors<S>(*result.factors, plan, {Operation::plain, view_of(inverse)}, 1);
    const double condition = dense_one_norm(testing::dense(matrix)) * dense_one_norm(inverse);
    const double estimate = estimate_scaled_condition<S>(
        matrix.view(), {}, {}, [&](const Sweep<S>& sweep) { solve_with_factors(*result.factors, plan, sweep, 1); });
    EXPECT_LE(estimate, condition * 1.001) << "seed " << seed;
    EXPECT_GE(estimate, condition / 3) << "seed " << seed;
  }
}

}  // namespace
}  // namespace frond
