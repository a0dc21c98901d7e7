// SPDX-License-Identifier: BSD-3-Clause
// Tests whole factorizations on plain threads, with delayed pivots, failures in the middle, and two at the same time.
#include <gtest/gtest.h>

#include <complex>
#include <thread>

#include "factorization/factorize.hpp"
#include "frond/error.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/observers.hpp"

namespace frond::test {
namespace {

FactorizationRunOptions on_threads(int num_threads) {
  FactorizationRunOptions options;
  options.executor = ExecutorKind::threads;
  options.num_threads = num_threads;
  return options;
}

// Factorizes a grid on 2, 4 and 8 threads, without races and with the same bits.
template <Scalar S>
void expect_no_race(Method method, Symmetry symmetry, Index grid, Values values) {
  const SparseMatrix<S> a = grid_matrix<S>(symmetry, grid, grid, grid, values, 1);
  const auto symbolic = analyze(a.pattern());
  const auto expected = factorize<S>(symbolic, method, a.values, {}, {}, on_threads(1));
  for (const int num_threads : {2, 4, 8}) {
    SCOPED_TRACE(num_threads);
    double last_fraction = 0;
    FactorizationRunOptions options = on_threads(num_threads);
    testing::Calls observer(&testing::Calls::part, [&last_fraction](double fraction) { last_fraction = fraction; });
    options.observer = &observer;
    const auto result = factorize<S>(symbolic, method, a.values, {}, {}, options);
    ASSERT_TRUE(result.factors);
    EXPECT_TRUE(same_bits(*result.factors, *expected.factors));
    EXPECT_EQ(last_fraction, 1);
    EXPECT_EQ(result.report.num_delayed_pivots > 0, values == Values::zero_diagonal);
  }
}

TEST(FactorizeRace, Cholesky) { expect_no_race<double>(Method::cholesky, Symmetry::symmetric, 13, Values::dominant); }
TEST(FactorizeRace, Ldlt) { expect_no_race<double>(Method::ldlt, Symmetry::symmetric, 12, Values::dominant); }
TEST(FactorizeRace, LdltWithDelays) { expect_no_race<double>(Method::ldlt, Symmetry::symmetric, 9, Values::zero_diagonal); }
TEST(FactorizeRace, LdlhWithDelays) {
  expect_no_race<std::complex<double>>(Method::ldlh, Symmetry::hermitian, 8, Values::zero_diagonal);
}
TEST(FactorizeRace, Lu) { expect_no_race<double>(Method::lu, Symmetry::general, 12, Values::dominant); }
TEST(FactorizeRace, LuWithDelays) { expect_no_race<double>(Method::lu, Symmetry::general, 9, Values::zero_diagonal); }

TEST(FactorizeRace, StopsWhenAPivotIsNotPositive) {
  SparseMatrix<double> a = grid_matrix<double>(Symmetry::symmetric, 11, 11, 11, Values::dominant, 1);
  a.values[a.column_offsets[600]] = -1;
  const auto result = factorize<double>(analyze(a.pattern()), Method::cholesky, a.values, {}, {}, on_threads(4));
  EXPECT_EQ(result.report.status, FactorizationStatus::not_positive_definite);
}

TEST(FactorizeRace, StopsWhenABudgetIsPassed) {
  const SparseMatrix<double> a = grid_matrix<double>(Symmetry::general, 9, 9, 9, Values::zero_diagonal, 1);
  const auto symbolic = analyze(a.pattern());
  FactorizationRunOptions options = on_threads(4);
  const double flops = factorize<double>(symbolic, Method::lu, a.values, {}, {}, options).report.flops;
  for (const double share : {0.01, 0.1, 0.5, 0.9}) {
    options.budget.flops = share * flops;
    EXPECT_THROW((void)factorize<double>(symbolic, Method::lu, a.values, {}, {}, options), BudgetError) << share;
  }
  options.budget.flops = 10 * flops;
  EXPECT_TRUE(factorize<double>(symbolic, Method::lu, a.values, {}, {}, options).factors);
}

TEST(FactorizeRace, StopsWhenMemoryRunsOut) {
  const SparseMatrix<double> a = grid_matrix<double>(Symmetry::general, 8, 8, 8, Values::zero_diagonal, 1);
  const auto symbolic = analyze(a.pattern());
  FactorizationRunOptions options = on_threads(4);
  options.memory_limit = estimate_memory(*symbolic, Method::lu, sizeof(double), 1).least_bytes();
  EXPECT_THROW((void)factorize<double>(symbolic, Method::lu, a.values, {}, {}, options), MemoryError);
}

TEST(FactorizeRace, TwoSideBySide) {
  const SparseMatrix<double> a = grid_matrix<double>(Symmetry::symmetric, 10, 10, 10, Values::dominant, 1);
  const auto symbolic = analyze(a.pattern());
  const auto factorize_once = [&] {
    const auto result = factorize<double>(symbolic, Method::ldlt, a.values, {}, {}, on_threads(2));
    EXPECT_TRUE(result.factors);
  };
  const std::jthread first(factorize_once);
  const std::jthread second(factorize_once);
}

}  // namespace
}  // namespace frond::test
