// SPDX-License-Identifier: BSD-3-Clause
// Tests factorizations that get other values: they must be like new ones, and sound after values that cannot be factorized.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/observers.hpp"

namespace frond::stages {
namespace {

using testing::Flavour;

constexpr Index kNumUnknowns = 60;

StageOptions unspread_load(Layout layout = Layout::rows) {
  StageOptions options{{}, layout};
  options.solver.ranks.use_load_thread = false;  // a thread would cause a note where MPI allows none
  return options;
}

template <Scalar S>
Factorization<S> factorized(const SystemMatrix<S>& matrix, const StageOptions& options = unspread_load()) {
  return Factorization<S>(led(matrix), options_here(options), place());
}

template <Scalar S>
void refactorize(Factorization<S>& factorization, const std::vector<S>& values) {
  factorization.refactorize(led(std::span<const S>(values)));
}

template <Scalar S>
DenseMatrix<S> sides() {
  return testing::random_dense<S>(kNumUnknowns, 2, 5);
}

template <Scalar S>
DenseMatrix<S> solution(const Factorization<S>& factorization, Verdict expected = Verdict::solved) {
  const DenseMatrix<S> b = sides<S>();
  DenseMatrix<S> x(kNumUnknowns, 2);
  const SolveReport report = factorization.solve(view_of(b), view_of(x));
  EXPECT_EQ(report.verdict, expected) << report.describe();
  return x;
}

// Solves as a new factorization with the same analysis does, in one process to the bit.
template <Scalar S>
void expect_like_new(const Factorization<S>& factorization, const Analysis& analysis, const SystemMatrix<S>& matrix) {
  const Factorization<S> fresh(analysis, led(matrix));
  EXPECT_EQ(factorization.report().method, fresh.report().method);
  EXPECT_EQ(factorization.report().notes, fresh.report().notes);
  const DenseMatrix<S> x = solution(factorization);
  const DenseMatrix<S> expected = solution(fresh);
  for (std::size_t k = 0; k < x.values.size(); ++k) {
    if (is_one_process()) {
      EXPECT_EQ(x.values[k], expected.values[k]);
    } else {
      EXPECT_LE(std::abs(x.values[k] - expected.values[k]), 1000 * std::numeric_limits<RealOf<S>>::epsilon());
    }
  }
}

template <Scalar S>
SystemMatrix<S> with_values(SystemMatrix<S> matrix, const std::vector<S>& values) {
  matrix.stored.values = values;
  return matrix;
}

// All calls are refused.
template <Scalar S>
void expect_without_factors(Factorization<S>& factorization) {
  const DenseMatrix<S> b = sides<S>();
  DenseMatrix<S> x(kNumUnknowns, 2);
  const std::vector<std::function<void()>> calls = {
      [&] { (void)factorization.solve(view_of(b), view_of(x)); },
      [&] { (void)factorization.report(); },
      [&] { (void)factorization.rank_reports(); },
      [&] { (void)factorization.analysis(); },
      [&] { (void)factorization.own_rows(); },
      [&] { (void)factorization.inverse_diagonal(); },
      [&] { (void)factorization.null_space(); },
      [&] { (void)factorization.save_to_memory(); },
      [&] { factorization.solve_part(FactorPart::lower, Operation::plain, led(view_of(x))); },
      [&] { factorization.set_solve_options({}, ErrorBounds::never); },
  };
  for (const auto& call : calls) {
    testing::expect_error<UsageError>("the last refactorize() has failed", call);
  }
}

template <class S>
class Refactorize : public ::testing::Test {};
TYPED_TEST_SUITE(Refactorize, test::Scalars);

TYPED_TEST(Refactorize, IsLikeANewFactorization) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const auto stored = testing::random_matrix<S>(kNumUnknowns, 4, symmetry, Flavour::dominant, 3);
    for (const bool by_rows : {false, true}) {
      const SystemMatrix<S> matrix(stored.view(), by_rows);
      for (const Layout layout : layouts()) {
        const Analysis analysis = analyze(led(matrix), options_here(unspread_load(layout)), place());
        Factorization<S> factorization(analysis, led(matrix));
        std::vector<S> values = stored.values;
        for (int set = 0; set < 3; ++set) {
          for (std::size_t k = 0; k < values.size(); ++k) {
            values[k] *= S(set == 2 ? -3.0F : 1.0F + 0.0625F * static_cast<float>(k % 7));
          }
          refactorize(factorization, values);
          expect_like_new(factorization, analysis, with_values(matrix, values));
        }
        refactorize(factorization, stored.values);
        expect_like_new(factorization, analysis, matrix);
      }
    }
  }
}

TYPED_TEST(Refactorize, RefusedValuesLeaveTheFactors) {
  using S = TypeParam;
  const auto matrix = testing::random_matrix<S>(kNumUnknowns, 4, Symmetry::general, Flavour::dominant, 4);
  Factorization<S> factorization = factorized<S>(matrix);
  const DenseMatrix<S> before = solution(factorization);
  std::vector<S> values = matrix.values;
  values.pop_back();
  testing::expect_error<UsageError>(std::to_string(values.size()) + " values", [&] { refactorize(factorization, values); });
  values.emplace_back(std::numeric_limits<RealOf<S>>::quiet_NaN());
  testing::expect_error<UsageError>("not a finite number", [&] { refactorize(factorization, values); });
  EXPECT_EQ(solution(factorization).values, before.values);
}

// A column of zeros, which a later set of values fills again.
TYPED_TEST(Refactorize, AfterASingularMatrix) {
  using S = TypeParam;
  const auto matrix = testing::random_matrix<S>(kNumUnknowns, 4, Symmetry::general, Flavour::dominant, 5);
  const Analysis analysis = analyze(led(SystemMatrix<S>(matrix)), options_here(unspread_load()), place());
  Factorization<S> factorization(analysis, led(SystemMatrix<S>(matrix)));
  std::vector<S> singular = matrix.values;
  std::fill(singular.begin() + matrix.column_offsets[7], singular.begin() + matrix.column_offsets[8], S(0));
  refactorize(factorization, singular);
  EXPECT_EQ(factorization.report().rank.highest, kNumUnknowns - 1);
  (void)solution(factorization, Verdict::singular);
  refactorize(factorization, matrix.values);
  expect_like_new<S>(factorization, analysis, matrix);
}

TYPED_TEST(Refactorize, AfterAnotherSymmetry) {
  using S = TypeParam;
  const auto triangle = testing::random_matrix<S>(kNumUnknowns, 4, Symmetry::symmetric, Flavour::dominant, 6);
  const SparseMatrix<S> symmetric = expand_to_general(triangle.view());
  SparseMatrix<S> matrix = symmetric;
  matrix.values[1] += S(0.25);
  Factorization<S> factorization = factorized<S>(matrix);
  const Analysis of_general = factorization.analysis();
  EXPECT_EQ(factorization.report().method, Method::lu);
  refactorize(factorization, symmetric.values);
  EXPECT_NE(factorization.report().method, Method::lu);
  expect_like_new<S>(factorization, of_general, symmetric);
  refactorize(factorization, matrix.values);
  EXPECT_EQ(factorization.report().method, Method::lu);
  (void)solution(factorization);
}

TYPED_TEST(Refactorize, KeepsOptionsOfSolves) {
  using S = TypeParam;
  const auto matrix = testing::random_matrix<S>(kNumUnknowns, 4, Symmetry::general, Flavour::dominant, 7);
  Factorization<S> factorization = factorized<S>(matrix);
  factorization.set_solve_options({.max_steps = 7}, ErrorBounds::all_columns);
  refactorize(factorization, matrix.values);
  const SolverOptions& options = factorization.course().backend().options();
  EXPECT_EQ(options.refinement.max_steps, 7);
  EXPECT_EQ(options.error_bounds, ErrorBounds::all_columns);
}

// Cholesky cannot factorize what is not symmetric, which is noticed when the old factors are gone.
TYPED_TEST(Refactorize, AFailureLeavesNoFactorsUntilTheNextSuccess) {
  using S = TypeParam;
  const auto triangle = testing::random_matrix<S>(kNumUnknowns, 4, Symmetry::hermitian, Flavour::dominant, 8);
  const SparseMatrix<S> matrix = expand_to_general(triangle.view());
  StageOptions options = unspread_load();
  options.solver.method = Method::cholesky;
  Factorization<S> factorization = factorized<S>(matrix, options);
  const Analysis analysis = factorization.analysis();
  std::vector<S> values = matrix.values;
  values[1] += S(0.25);
  testing::expect_error<UsageError>("", [&] { refactorize(factorization, values); });
  expect_without_factors(factorization);
  testing::expect_error<UsageError>("", [&] { refactorize(factorization, values); });
  refactorize(factorization, matrix.values);
  EXPECT_EQ(factorization.report().method, Method::cholesky);
  (void)solution(factorization);
}

TEST(RefactorizeOnce, MoreAfterAStop) {
  if (!is_one_process()) {
    return;  // where ranks notice a stop is another subject
  }
  const auto matrix = testing::random_matrix<double>(kNumUnknowns, 4, Symmetry::general, Flavour::dominant, 9);
  StageOptions options = unspread_load();
  const auto observer = std::make_shared<testing::StopAt>();
  options.solver.observer = observer;
  Factorization<double> factorization = factorized<double>(matrix, options);
  observer->begin(1);
  EXPECT_THROW(refactorize(factorization, matrix.values), StoppedError);
  observer->begin(0);
  expect_without_factors(factorization);
  refactorize(factorization, matrix.values);
  (void)solution(factorization);
}

TEST(RefactorizeOnce, IsForMatricesThatAreKept) {
  Triplets<double> mine{kNumUnknowns, kNumUnknowns, Symmetry::general};
  for (Index k = 0; k < kNumUnknowns && is_led_here(); ++k) {
    mine.add(k, k, 2);
  }
  Factorization<double> factorization(mine, options_here(unspread_load()), place());
  testing::expect_error<UsageError>("triplets", [&] { refactorize(factorization, mine.values); });
  (void)solution(factorization);
}

}  // namespace
}  // namespace frond::stages
