// SPDX-License-Identifier: BSD-3-Clause
// Tests factors in single precision with answers in double precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <vector>

#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/observers.hpp"

namespace frond::stages {
namespace {

using testing::Flavour;

StageOptions options_in(bool mixed_precision) {
  StageOptions options{{}, Layout::grid};
  options.solver.mixed_precision = mixed_precision;
  options.solver.ranks.use_load_thread = false;  // a thread would cause a note where MPI allows none
  return options;
}

// Nothing is refined, so that factors in single precision do not suffice.
StageOptions unrefined_options() {
  StageOptions options = options_in(true);
  options.solver.refinement = {.max_steps = 0, .max_krylov_steps = 0};
  return options;
}

template <class S>
struct Precisions {
  std::unique_ptr<StagedFactorization<S>> mixed;
  std::unique_ptr<StagedFactorization<S>> full;
};

template <class S>
Precisions<S> factorize_in_both(const SparseMatrix<S>& matrix) {
  return {factorize<S>(matrix, options_in(true)), factorize<S>(matrix, options_in(false))};
}

template <class S>
SolveReport solve_into(const StagedFactorization<S>& factorization, const DenseMatrix<S>& b, DenseMatrix<S>& x,
                       Operation operation = Operation::plain) {
  x = DenseMatrix<S>(b.num_rows, b.num_cols);
  return factorization.solve(b, x, operation);
}

// Scales by powers of 2 far beyond the range of single precision.
template <class S>
void spread_apart(SparseMatrix<S>& matrix) {
  const auto exponent = [&](Index i) { return 60 * (i % 7 - 3); };
  testing::for_each_entry(matrix, [&](Index i, Index j, auto& value) { value *= std::ldexp(1.0, exponent(i) + exponent(j)); });
}

template <class S>
class MixedPrecisionOf : public ::testing::Test {};
using MixedScalars = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(MixedPrecisionOf, MixedScalars);

TYPED_TEST(MixedPrecisionOf, SolvesToFullAccuracyWithHalfTheBytes) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
    for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal, Flavour::graded}) {
      for (const bool is_spread : is_one_process() ? std::vector{false, true} : std::vector{false}) {
        SCOPED_TRACE(static_cast<int>(symmetry) * 100 + static_cast<int>(flavour) * 10 + (is_spread ? 1 : 0));
        auto matrix = testing::random_matrix<S>(60, 3, symmetry, flavour, 4);
        if (is_spread) {
          spread_apart(matrix);
        }
        const auto b = testing::random_dense<S>(60, 3, 8);
        const auto [mixed, full] = factorize_in_both(matrix);
        ASSERT_TRUE(mixed->report().is_mixed) << mixed->report().notes.front();
        EXPECT_FALSE(full->report().is_mixed);
        EXPECT_LE(mixed->report().factorization.factor_entries,
                  1.2 * static_cast<double>(full->report().factorization.factor_entries));
        EXPECT_EQ(mixed->report().factorization.inertia.negative, full->report().factorization.inertia.negative);
        Determinant ratio = mixed->report().factorization.determinant;
        ratio /= full->report().factorization.determinant;
        EXPECT_LT(std::abs(std::ldexp(1.0, static_cast<int>(ratio.exponent)) * ratio.mantissa - 1.0), 1e-3);
        for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
          DenseMatrix<S> x;
          const SolveReport report = solve_into(*mixed, b, x, operation);
          // Corrections in single precision cannot reach dependent unknowns that differ by a factor of 10^100.
          const bool may_fall_back = is_spread && symmetry == Symmetry::general && flavour == Flavour::zero_diagonal;
          EXPECT_TRUE(report.notes.empty() || may_fall_back);
          EXPECT_LE(report.worst().componentwise_backward_error, 1e-14);
          EXPECT_TRUE(report.worst().refinement_steps >= 1 || !report.notes.empty());
          if (!is_spread) {
            EXPECT_LE(testing::dense_backward_error(testing::dense(matrix, operation), x, b), 1e-14);
          }
        }
      }
    }
  }
}

TEST(MixedPrecision, HalvesTheFactors) {
  const auto matrix = testing::laplacian<double>(12);
  const auto [mixed, full] = factorize_in_both(matrix);
  EXPECT_LE(mixed->report().factorization.factor_bytes, 0.55 * static_cast<double>(full->report().factorization.factor_bytes));
}

// Shifts the diagonal of a grid down so far that some eigenvalues are negative while the diagonal stays positive.
TEST(MixedPrecision, TriesLdltWhereCholeskyFails) {
  auto matrix = testing::laplacian<double>(6);
  testing::for_each_entry(matrix, [](Index i, Index j, double& value) { value -= i == j ? 1.3 : 0; });
  const auto [mixed, full] = factorize_in_both(matrix);
  ASSERT_TRUE(mixed->report().is_mixed);
  EXPECT_EQ(mixed->report().method, Method::ldlt);
  EXPECT_TRUE(has_note(mixed->report().notes, "not positive definite"));
  EXPECT_GT(mixed->report().factorization.inertia.negative, 0);
  EXPECT_EQ(mixed->report().factorization.inertia.negative, full->report().factorization.inertia.negative);
  const auto b = testing::random_dense<double>(matrix.num_rows, 2, 8);
  DenseMatrix<double> x;
  EXPECT_LE(solve_into(*mixed, b, x).worst().componentwise_backward_error, 1e-14);
  StageOptions cholesky = options_in(true);
  cholesky.solver.method = Method::cholesky;
  EXPECT_EQ(factorize<double>(matrix, cholesky)->report().factorization.status, FactorizationStatus::not_positive_definite);
}

// Fifty unknowns, with one row nearly equal to another: they differ by 1e-9.
TEST(MixedPrecision, GoesBackToDoubleWhereTheMatrixIsTooIllConditioned) {
  Triplets<double> entries{50, 50};
  for (Index i = 0; i < 50; ++i) {
    entries.add(i, i, 2);
    if (i > 0) {
      entries.add(i - 1, i, 1);
    }
  }
  entries.add(49, 0, 1);
  entries.add(48, 0, 1);
  entries.add(49, 48, 2);
  entries.add(49, 49, -1 + 1e-9);
  const auto matrix = compress(std::move(entries));
  const auto factorization = factorize<double>(matrix, options_in(true));
  EXPECT_FALSE(factorization->report().is_mixed);
  EXPECT_TRUE(has_note(factorization->report().notes, "single precision"));
  const auto b = testing::random_dense<double>(50, 1, 8);
  DenseMatrix<double> x;
  EXPECT_EQ(solve_into(*factorization, b, x).verdict, Verdict::solved);
}

TEST(MixedPrecision, GoesBackToDoubleWhereRefinementFails) {
  const auto matrix = testing::laplacian<double>(6);
  const auto factorization = factorize<double>(matrix, unrefined_options());
  const SystemReport& of_single = factorization->report();
  ASSERT_TRUE(of_single.is_mixed);
  const auto b = testing::random_dense<double>(matrix.num_rows, 2, 8);
  for (int repetition = 0; repetition < 2; ++repetition) {
    DenseMatrix<double> x;
    const SolveReport report = solve_into(*factorization, b, x);
    EXPECT_EQ(report.verdict, Verdict::solved);
    ASSERT_EQ(report.notes.size(), 1U);
    EXPECT_FALSE(factorization->report().is_mixed) << "the report is of the factors that have solved";
    EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), x, b), 1e-14);
    EXPECT_TRUE(of_single.is_mixed) << "what was returned before stays as it was";
  }
}

TEST(MixedPrecision, RefinesInDoubleAsItIsAskedAfterwards) {
  const auto matrix = testing::laplacian<double>(6);
  StageOptions options = unrefined_options();
  int num_told = 0;
  options.solver.observer = std::make_shared<testing::Calls>(&testing::Calls::step, [&](int /*step*/) { ++num_told; });
  const auto factorization = factorize<double>(matrix, options);
  const auto b = testing::random_dense<double>(matrix.num_rows, 1, 8);
  DenseMatrix<double> x;
  EXPECT_EQ(solve_into(*factorization, b, x).worst().refinement_steps, 0);
  ASSERT_FALSE(factorization->report().is_mixed);
  factorization->set_solve_options({.max_steps = 2, .target = 1e-30}, ErrorBounds::never);
  EXPECT_GT(solve_into(*factorization, b, x).worst().refinement_steps, 0);
  EXPECT_EQ(num_told > 0, is_led_here());
  factorization->set_solve_options({.max_steps = 0, .max_krylov_steps = 0}, ErrorBounds::never);
  EXPECT_EQ(solve_into(*factorization, b, x).worst().refinement_steps, 0);
}

// Neither the first solve nor the next may give a verdict.
TEST(MixedPrecision, LacksMemoryForDoubleInEverySolve) {
  const auto matrix = testing::laplacian<double>(10);
  StageOptions options = unrefined_options();
  options.layout = Layout::nodes;  // in rows, a second run may choose other slaves, and fit
  options.solver.ranks.sharing = WorkSharing::fixed;
  options.solver.mixed_precision = false;
  Count peak_bytes = 0;  // of the rank that held most
  for (const RankReport& rank : factorize<double>(matrix, options)->calls().rank_reports()) {
    peak_bytes = std::max(peak_bytes, rank.peak_bytes);
  }
  options.solver.mixed_precision = true;
  options.solver.factorization.memory_limit = peak_bytes * 3 / 4;
  const auto factorization = factorize<double>(matrix, options);
  const auto b = testing::random_dense<double>(matrix.num_rows, 1, 8);
  DenseMatrix<double> x(matrix.num_rows, 1);
  for (int repetition = 0; repetition < 2; ++repetition) {
    EXPECT_THROW((void)factorization->solve(b, x), MemoryError);
    EXPECT_TRUE(factorization->report().is_mixed);
  }
}

TEST(MixedPrecision, TellsOfSingularMatricesAsDoubleDoes) {
  Triplets<double> entries{3, 3};
  entries.add(0, 0, 1);
  entries.add(1, 1, 1);
  entries.add(1, 2, 1);
  const auto matrix = compress(std::move(entries));
  const auto factorization = factorize<double>(matrix, options_in(true));
  EXPECT_FALSE(factorization->report().is_mixed);
  EXPECT_EQ(factorization->report().factorization.status, FactorizationStatus::singular);
}

TEST(MixedPrecision, IsNotForSinglePrecision) {
  const auto matrix = testing::random_matrix<float>(10, 3, Symmetry::general, Flavour::dominant, 4);
  EXPECT_THROW((void)factorize<float>(matrix, options_in(true)), UsageError);
}

}  // namespace
}  // namespace frond::stages
