// SPDX-License-Identifier: BSD-3-Clause
// Tests systems without fronts against dense products, and against the same systems with fronts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/solve.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "solver/thin/thin_analysis.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/reducible_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/oracles/dense_determinant.hpp"
#include "tests/support/thin_options.hpp"
#include "tests/support/typed_tests.hpp"

namespace frond {
namespace {

using testing::Flavour;
using testing::Shuffle;
using testing::with_thin;

// Every third diagonal entry becomes negative: pivots of one variable are still large.
template <class S>
SparseMatrix<S> with_signs(SparseMatrix<S> matrix) {
  for (Index j = 0; j < matrix.num_cols; j += 3) {
    for (Count entry = matrix.column_offsets[j]; entry < matrix.column_offsets[j + 1]; ++entry) {
      matrix.values[entry] *= matrix.row_indices[entry] == j ? RealOf<S>(-1) : RealOf<S>(1);
    }
  }
  return matrix;
}

// In single precision smaller pivots than those of a dominant diagonal ask for a proof of the rank.
template <class S>
std::vector<SparseMatrix<S>> examples() {
  constexpr bool kIsSingle = std::is_same_v<RealOf<S>, float>;
  std::vector<SparseMatrix<S>> matrices;
  for (const Flavour flavour :
       kIsSingle ? std::vector{Flavour::dominant} : std::vector{Flavour::dominant, Flavour::zero_diagonal, Flavour::graded}) {
    matrices.push_back(testing::random_matrix<S>(80, 4, Symmetry::general, flavour, 3));
  }
  for (const Shuffle shuffle : {Shuffle::none, Shuffle::alike, Shuffle::apart}) {
    matrices.push_back(testing::reducible_matrix<S>({1, 9, 1, 2, 30, 1, 1}, 3, shuffle, 8));
  }
  matrices.push_back(testing::laplacian<S>(4));
  for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian}) {
    matrices.push_back(testing::random_matrix<S>(80, 4, symmetry, Flavour::dominant, 3));
    matrices.push_back(with_signs(testing::random_matrix<S>(81, 4, symmetry, Flavour::dominant, 5)));
  }
  return matrices;
}

// The order is odd and the diagonal 0: the last pivot vanishes for any values.
SparseMatrix<double> singular_chain() {
  Triplets<double> entries{7, 7, Symmetry::general};
  for (Index k = 0; k + 1 < 7; ++k) {
    entries.add(k, k + 1, 1 + k);
    entries.add(k + 1, k, 2 + k);
    entries.add(k, k, 0);
  }
  entries.add(6, 6, 0);
  return compress(std::move(entries));
}

template <class S>
class ThinSystemTest : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(ThinSystemTest, Scalars);

TYPED_TEST(ThinSystemTest, ReportsTheErrorsOfItsSolutions) {
  using S = TypeParam;
  const double eps = std::numeric_limits<RealOf<S>>::epsilon();
  for (const SparseMatrix<S>& matrix : examples<S>()) {
    const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, 3, 2);
    for (const bool is_transposed : {false, true}) {
      const SystemMatrix<S> system(matrix.view(), is_transposed);
      const Factorization<S> factorization(system, with_thin(Use::always));
      ASSERT_TRUE(factorization.analysis().thin());
      for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
        DenseMatrix<S> x(matrix.num_rows, 3);
        const SolveReport report = factorization.solve(view_of(b), view_of(x), operation);
        ASSERT_EQ(report.verdict, Verdict::solved);
        ASSERT_EQ(report.columns.size(), 3);
        DenseMatrix<S> a = testing::dense(matrix, operation);
        if (is_transposed) {
          a = testing::dense(matrix, operation == Operation::plain ? Operation::transposed : Operation::plain);
          if (operation == Operation::adjoint) {
            std::transform(a.values.begin(), a.values.end(), a.values.begin(), [](S value) { return conjugate(value); });
          }
        }
        const double componentwise = testing::dense_componentwise_error(a, x, b);
        EXPECT_LE(componentwise, 10 * eps);
        EXPECT_NEAR(report.worst().componentwise_backward_error, componentwise, 8 * eps);  // by sums of some 15 terms
        EXPECT_NEAR(report.worst().normwise_backward_error, testing::dense_backward_error(a, x, b), 2 * eps);
      }
      EXPECT_TRUE(factorization.analysis().thin()) << "fronts took over";
    }
  }
}

TYPED_TEST(ThinSystemTest, HasTheDeterminantOfTheMatrix) {
  using S = TypeParam;
  for (const SparseMatrix<S>& matrix : examples<S>()) {
    const Factorization<S> factorization(matrix, with_thin(Use::always));
    const test::DenseDeterminant expected = test::dense_determinant(testing::dense(matrix));
    EXPECT_LE(test::relative_difference(factorization.report().factorization.determinant, expected.value), expected.tolerance);
  }
}

// Columns are solved for some at a time.
TYPED_TEST(ThinSystemTest, HasTheSameBitsForColumnsTogetherAndAlone) {
  using S = TypeParam;
  constexpr Index kColumns = 11;
  for (const SparseMatrix<S>& matrix : examples<S>()) {
    const Factorization<S> factorization(matrix, with_thin(Use::always));
    const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, kColumns, 2);
    for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
      DenseMatrix<S> together(matrix.num_rows, kColumns);
      DenseMatrix<S> alone(matrix.num_rows, kColumns);
      const SolveReport report = factorization.solve(view_of(b), view_of(together), operation);
      ASSERT_EQ(report.columns.size(), kColumns);
      for (Index j = 0; j < kColumns; ++j) {
        const SolveReport own = factorization.solve(view_of(b).columns(j, j + 1), view_of(alone).columns(j, j + 1), operation);
        EXPECT_EQ(own.columns[0].componentwise_backward_error, report.columns[j].componentwise_backward_error);
      }
      EXPECT_EQ(together.values, alone.values);
    }
    EXPECT_TRUE(factorization.analysis().thin());
  }
}

TYPED_TEST(ThinSystemTest, HasTheInertiaThatFrontsHave) {
  using S = TypeParam;
  for (const SparseMatrix<S>& matrix : examples<S>()) {
    const Factorization<S> thin(matrix, with_thin(Use::always));
    const Factorization<S> fronts(matrix, with_thin(Use::never));
    ASSERT_TRUE(thin.analysis().thin());
    const FactorizationReport& report = thin.report().factorization;
    const FactorizationReport& expected = fronts.report().factorization;
    EXPECT_EQ(thin.report().method, fronts.report().method);
    if (!kIsComplex<S> || matrix.symmetry == Symmetry::hermitian) {
      EXPECT_EQ(report.inertia.positive, expected.inertia.positive);
      EXPECT_EQ(report.inertia.negative, expected.inertia.negative);
    }
    EXPECT_EQ(report.inertia.zero, 0);
    EXPECT_EQ(report.smallest_pivot_sign == 0, expected.smallest_pivot_sign == 0);
  }
}

// Without measuring, x has the bits of the factors, and no error is claimed.
TYPED_TEST(ThinSystemTest, LeavesSolutionsUnmeasuredOnRequest) {
  using S = TypeParam;
  SolverOptions options = with_thin(Use::always);
  options.refinement = {.max_steps = 0, .max_krylov_steps = 0};
  for (const SparseMatrix<S>& matrix : examples<S>()) {
    Factorization<S> factorization(matrix, options);
    if (!may_stay_unmeasured<S>(factorization.report().factorization)) {
      continue;
    }
    const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, 3, 2);
    DenseMatrix<S> x(matrix.num_rows, 3);
    DenseMatrix<S> y(matrix.num_rows, 3);
    (void)factorization.solve(view_of(b), view_of(x));
    factorization.set_solve_options({.measures = false}, ErrorBounds::never);
    const SolveReport report = factorization.solve(view_of(b), view_of(y));
    EXPECT_EQ(report.verdict, Verdict::unmeasured);
    EXPECT_EQ(x.values, y.values);
    EXPECT_TRUE(std::isnan(report.worst().componentwise_backward_error));
    factorization.set_solve_options({.measures = false}, ErrorBounds::all_columns);
    EXPECT_EQ(factorization.solve(view_of(b), view_of(y)).verdict, Verdict::solved);
  }
}

TYPED_TEST(ThinSystemTest, SolvesRowsAndRepeatedRows) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = testing::random_matrix<S>(60, 4, Symmetry::general, Flavour::dominant, 3);
  const Factorization<S> factorization(matrix, with_thin(Use::always));
  const std::vector<Index> given = {4, 7, 4};
  const std::vector<S> values = {S(1), S(2), S(3)};
  const std::vector<Index> wanted = {59, 0};
  std::vector<S> rows(2);
  ASSERT_EQ(factorization.solve_rows({given, column_view<const S>(values)}, {wanted, column_view<S>(rows)}).verdict,
            Verdict::solved);
  std::vector<S> b(60);
  std::vector<S> x(60);
  b[4] = 4;
  b[7] = 2;
  ASSERT_EQ(factorization.solve(b, x).verdict, Verdict::solved);
  EXPECT_EQ(rows, (std::vector<S>{x[59], x[0]}));
}

TYPED_TEST(ThinSystemTest, SolvesForSparseSides) {
  using S = TypeParam;
  constexpr Index kColumns = 70;  // more than are solved for at a time
  const SparseMatrix<S> matrix = testing::random_matrix<S>(60, 4, Symmetry::general, Flavour::dominant, 3);
  const Factorization<S> factorization(matrix, with_thin(Use::always));
  Triplets<S> entries{60, kColumns, Symmetry::general};
  for (Index j = 0; j < kColumns; ++j) {
    entries.add((7 * j) % 60, j, S(2));
    entries.add((7 * j + j % 3) % 60, j, S(1));
  }
  const SparseMatrix<S> b = compress(std::move(entries));
  DenseMatrix<S> dense_b(60, kColumns);
  testing::for_each_entry(b, [&](Index i, Index j, S value) { dense_b(i, j) = value; });
  DenseMatrix<S> x(60, kColumns);
  DenseMatrix<S> dense_x(60, kColumns);
  const SolveReport report = factorization.solve_sparse(b.view(), view_of(x), Operation::transposed);
  EXPECT_EQ(report.columns.size(), kColumns);
  EXPECT_EQ(factorization.solve(view_of(dense_b), view_of(dense_x), Operation::transposed).verdict, report.verdict);
  EXPECT_EQ(x.values, dense_x.values);
  EXPECT_TRUE(factorization.analysis().thin());
  EXPECT_THROW((void)factorization.solve_sparse(b.view(), view_of(x).columns(0, 1)), UsageError);
}

TEST(ThinSystem, IsChosenWherePredictedToBeFaster) {
  const SparseMatrix<double> sparse = testing::reducible_matrix<double>(std::vector<Index>(300, 3), 2, Shuffle::apart, 8);
  const SparseMatrix<double> filling = testing::random_matrix<double>(600, 20, Symmetry::general, Flavour::dominant, 3);
  EXPECT_TRUE(analyze(sparse).thin());
  EXPECT_FALSE(analyze(filling).thin());
  EXPECT_TRUE(analyze(filling, with_thin(Use::always)).thin());
  EXPECT_FALSE(analyze(sparse, with_thin(Use::never)).thin());
}

TEST(ThinSystem, LeavesWhatItCannotDoToFronts) {
  const SparseMatrix<double> matrix = testing::random_matrix<double>(60, 4, Symmetry::general, Flavour::dominant, 3);
  const auto is_thin = [&](const auto& change) {
    SolverOptions options = with_thin(Use::always);
    change(options);
    return analyze(matrix, options).thin() != nullptr;
  };
  EXPECT_TRUE(is_thin([](SolverOptions& options) { options.method = Method::lu; }));
  EXPECT_FALSE(is_thin([](SolverOptions& options) { options.scaling = ScalingKind::none; }));
  EXPECT_FALSE(is_thin([](SolverOptions& options) { options.mixed_precision = true; }));
  EXPECT_FALSE(is_thin([](SolverOptions& options) { options.error_bounds = ErrorBounds::first_column; }));
  EXPECT_FALSE(is_thin([](SolverOptions& options) { options.factorization.memory_limit = 1 << 10; }));
  EXPECT_TRUE(is_thin([](SolverOptions& options) { options.factorization.memory_limit = 1 << 20; }));
  EXPECT_FALSE(is_thin([](SolverOptions& options) { options.factorization.kept = KeptFactors::none; }));
  EXPECT_FALSE(is_thin([](SolverOptions& options) { options.factorization.pivoting.null_threshold = 1e-8; }));
  EXPECT_FALSE(is_thin([](SolverOptions& options) { options.factorization.pivoting.kind = PivotingKind::static_structure; }));
  EXPECT_FALSE(is_thin([](SolverOptions& options) { options.analysis.ordering.kind = OrderingKind::amd; }));
  EXPECT_FALSE(is_thin([](SolverOptions& options) { options.analysis.schur_variables = {1}; }));
  SolverOptions general = with_thin(Use::always);
  general.method = Method::lu;
  EXPECT_FALSE(analyze(testing::laplacian<double>(3), general).thin());
}

// Pivots off the diagonal fill in more than predicted.
TEST(ThinSystem, GivesUpWhereTheLimitLeavesNoRoomForItsEntries) {
  const SparseMatrix<double> matrix = testing::random_matrix<double>(300, 6, Symmetry::general, Flavour::zero_diagonal, 3);
  SolverOptions options = with_thin(Use::always);
  const Factorization<double> unlimited(matrix, options);
  ASSERT_TRUE(unlimited.analysis().thin());
  const ThinPlan& plan = unlimited.analysis().thin()->plan();
  ASSERT_GT(static_cast<double>(unlimited.report().factorization.factor_entries), plan.order.entries + 300);
  options.factorization.memory_limit = plan.bytes(2 * plan.order.entries);
  ASSERT_TRUE(analyze(matrix, options).thin());
  const Factorization<double> limited(matrix, options);
  EXPECT_FALSE(limited.analysis().thin()) << "there are " << unlimited.report().factorization.factor_entries << " entries";
  EXPECT_EQ(limited.report().factorization.status, FactorizationStatus::success);
}

TEST(ThinSystem, ChangesToFrontsWithOptionsThatNeedThem) {
  const SparseMatrix<double> matrix = testing::random_matrix<double>(60, 4, Symmetry::general, Flavour::dominant, 3);
  const Analysis analysis = analyze(matrix, with_thin(Use::always));
  SolverOptions options = analysis.options();
  options.factorization.pivoting.pivot_threshold = 0.1;
  EXPECT_TRUE(analysis.with_options(options).thin());
  options.mixed_precision = true;
  const Factorization<double> factorization(analysis.with_options(options), matrix);
  EXPECT_TRUE(factorization.report().is_mixed);
}

// Scaled as its row is, the coupling is not finite.
TEST(ThinSystem, LeavesUnmeasuredSolutionsOutOfRangeToFronts) {
  const auto matrix = testing::from_triplets<double>(2, Symmetry::general, {0, 0, 1}, {0, 1, 1}, {0x1p-600, 0x1p500, 1});
  SolverOptions options = with_thin(Use::always);
  options.refinement.measures = false;
  const Factorization<double> thin(matrix, options);
  const std::vector<double> b = {0x1p-600, 0};
  std::vector<double> x(2);
  (void)thin.solve(b, x);
  EXPECT_EQ(x, (std::vector<double>{1, 0}));
}

TEST(ThinSystem, IsGivenUpForSingularMatrices) {
  const SparseMatrix<double> matrix = singular_chain();
  const Factorization<double> thin(matrix, with_thin(Use::always));
  const Factorization<double> fronts(matrix, with_thin(Use::never));
  const std::vector<double> b = {1, 2, 3, 4, 5, 6, 7};
  std::vector<double> x(7);
  std::vector<double> y(7);
  const SolveReport report = thin.solve(b, x);
  EXPECT_EQ(report.verdict, Verdict::singular);
  EXPECT_EQ(report.describe(), fronts.solve(b, y).describe());
  EXPECT_EQ(x, y);
  EXPECT_EQ(thin.null_space().basis.values, fronts.null_space().basis.values);
}

TEST(ThinSystem, AnswersWithFrontsWhatItDoesNotItself) {
  const SparseMatrix<double> matrix = testing::reducible_matrix<double>({1, 9, 1, 2, 30}, 3, Shuffle::apart, 8);
  const Factorization<double> thin(matrix, with_thin(Use::always));
  const Factorization<double> fronts(matrix, with_thin(Use::never));
  EXPECT_EQ(thin.inverse_diagonal(InverseAccuracy::refined).values, fronts.inverse_diagonal(InverseAccuracy::refined).values);
  EXPECT_EQ(thin.null_space().basis.num_cols, 0);
  EXPECT_EQ(thin.own_rows(), fronts.own_rows());
  ASSERT_EQ(thin.rank_reports().size(), 1);
  EXPECT_EQ(thin.rank_reports()[0].flops, thin.report().factorization.flops);
  EXPECT_TRUE(thin.analysis().thin()) << "solves need no fronts";
}

TEST(ThinSystem, SolvesWithTheFactorsThatItHasSaved) {
  const SparseMatrix<double> matrix = testing::reducible_matrix<double>({1, 9, 1, 2, 30}, 3, Shuffle::apart, 8);
  const Factorization<double> thin(matrix, with_thin(Use::always));
  const std::vector<std::byte> saved = thin.save_to_memory();
  const std::vector<double> b(43, 1.0);
  std::vector<double> x(43);
  std::vector<double> y(43);
  ASSERT_EQ(Factorization<double>::load_from_memory(saved, matrix).solve(b, x).verdict, Verdict::solved);
  ASSERT_EQ(thin.solve(b, y).verdict, Verdict::solved);
  EXPECT_EQ(x, y);
}

TEST(ThinSystem, FactorizesOtherValuesAlongItsPivotsAndAnewWhereTheseFail) {
  SparseMatrix<double> matrix = testing::random_matrix<double>(60, 4, Symmetry::general, Flavour::dominant, 3);
  const std::vector<double> values = matrix.values;
  Factorization<double> thin(matrix, with_thin(Use::always));
  const DenseMatrix<double> b = testing::random_dense<double>(60, 1, 2);
  const auto expect_solves = [&](const std::vector<double>& next, bool is_thin) {
    thin.refactorize(next);
    DenseMatrix<double> x(60, 1);
    ASSERT_EQ(thin.solve(view_of(b), view_of(x)).verdict, Verdict::solved);
    SparseMatrix<double> other = matrix;
    other.values = next;
    EXPECT_LE(testing::dense_componentwise_error(testing::dense(other), x, b), 1e-14);
    EXPECT_EQ(thin.analysis().thin() != nullptr, is_thin);
  };
  std::vector<double> next = values;
  std::ranges::transform(values, next.begin(), [](double value) { return 3 * value; });
  expect_solves(next, true);
  // The diagonal vanishes, and with it all pivots: those of the others are found instead.
  std::vector<double> hollow = values;
  for (Index j = 0; j < 60; ++j) {
    for (Count entry = matrix.column_offsets[j]; entry < matrix.column_offsets[j + 1]; ++entry) {
      hollow[entry] *= matrix.row_indices[entry] == j ? 0 : 1;
    }
  }
  expect_solves(hollow, true);
  EXPECT_THROW(thin.refactorize(std::vector<double>(3, 1.0)), UsageError);
  expect_solves(values, true);
  const std::vector<double> zeros(values.size(), 0.0);
  thin.refactorize(zeros);
  EXPECT_EQ(thin.report().factorization.status, FactorizationStatus::singular);
  EXPECT_FALSE(thin.analysis().thin());
  expect_solves(values, true);
}

TEST(ThinSystem, BoundsErrorsWithFronts) {
  const SparseMatrix<double> matrix = testing::random_matrix<double>(60, 4, Symmetry::general, Flavour::dominant, 3);
  Factorization<double> thin(matrix, with_thin(Use::always));
  thin.set_solve_options({}, ErrorBounds::all_columns);
  const std::vector<double> b(60, 1.0);
  std::vector<double> x(60);
  EXPECT_LT(thin.solve(b, x).columns[0].forward_error_bound, 1e-10);
}

TEST(ThinSystem, RefusesWhatFrontsRefuse) {
  SparseMatrix<double> matrix = testing::random_matrix<double>(60, 4, Symmetry::general, Flavour::dominant, 3);
  const Analysis analysis = analyze(matrix, with_thin(Use::always));
  const Factorization<double> thin(analysis, matrix);
  std::vector<double> b(60, 1.0);
  std::vector<double> x(59);
  testing::expect_error<UsageError>("order 60", [&] { (void)thin.solve(b, x); });
  x.resize(60);
  b[17] = std::numeric_limits<double>::quiet_NaN();
  testing::expect_error<UsageError>("17", [&] { (void)thin.solve(b, x); });
  EXPECT_TRUE(thin.analysis().thin());
  matrix.values[5] = std::numeric_limits<double>::infinity();
  testing::expect_error<UsageError>("not a finite number", [&] { (void)Factorization<double>(analysis, matrix); });
  const SparseMatrix<double> other = testing::random_matrix<double>(61, 4, Symmetry::general, Flavour::dominant, 3);
  EXPECT_THROW((void)Factorization<double>(analysis, other), UsageError);
}

TEST(ThinSystem, LeavesAccuracyThatItMissesToFronts) {
  // The last equations are those of a Hilbert matrix, behind a chain: the pivots ask for a proof of the rank.
  Triplets<double> entries{40, 40, Symmetry::general};
  for (Index k = 0; k < 28; ++k) {
    entries.add(k, k, 1);
    entries.add(k, k + 1, 0.5);
  }
  for (Index i = 0; i < 12; ++i) {
    for (Index j = 0; j < 12; ++j) {
      entries.add(28 + i, 28 + j, 1.0 / (i + j + 1) + (i == 0 && j == 1 ? 1e-9 : 0));
    }
  }
  const SparseMatrix<double> matrix = compress(std::move(entries));
  const Factorization<double> thin(matrix, with_thin(Use::always));
  const Factorization<double> fronts(matrix, with_thin(Use::never));
  const std::vector<double> b(40, 1.0);
  std::vector<double> x(40);
  std::vector<double> y(40);
  EXPECT_EQ(thin.solve(b, x).describe(), fronts.solve(b, y).describe());
  EXPECT_EQ(x, y);
}

// A pivot threshold of 1e-5 lets entries grow.
TEST(ThinSystem, LeavesSolutionsAsTheyAreWithoutRefinement) {
  SolverOptions options = with_thin(Use::always);
  options.refinement = {.max_steps = 0, .max_krylov_steps = 0};
  options.factorization.pivoting.pivot_threshold = 1e-5;
  int num_missed = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const SparseMatrix<double> matrix = testing::random_matrix<double>(100, 4, Symmetry::general, Flavour::graded, seed);
    const Factorization<double> thin(matrix, options);
    const DenseMatrix<double> b = testing::random_dense<double>(100, 1, 2);
    for (const Operation operation : {Operation::plain, Operation::transposed}) {
      DenseMatrix<double> x(100, 1);
      const SolveReport report = thin.solve(view_of(b), view_of(x), operation);
      const double error = testing::dense_componentwise_error(testing::dense(matrix, operation), x, b);
      EXPECT_NEAR(report.worst().componentwise_backward_error, error, 1e-3 * error + 1e-30);
      EXPECT_EQ(report.worst().refinement_steps, 0);
      EXPECT_EQ(report.verdict == Verdict::accuracy_missed, report.worst().num_missed_equations > 0);
      num_missed += thin.analysis().thin() && report.verdict == Verdict::accuracy_missed ? 1 : 0;
    }
  }
  EXPECT_GT(num_missed, 2);
}

TEST(ThinSystem, SolvesOnSeveralThreadsAtOnce) {
  const SparseMatrix<double> matrix = testing::reducible_matrix<double>({1, 90, 1, 2, 30}, 3, Shuffle::apart, 8);
  const Factorization<double> thin(matrix, with_thin(Use::always));
  const DenseMatrix<double> b = testing::random_dense<double>(124, 8, 2);
  DenseMatrix<double> expected(124, 8);
  ASSERT_EQ(thin.solve(view_of(b), view_of(expected)).verdict, Verdict::solved);
  DenseMatrix<double> x(124, 8);
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (Index j = 0; j < 8; ++j) {
    threads.emplace_back([&, j] {
      for (int repeat = 0; repeat < 50; ++repeat) {
        EXPECT_EQ(thin.solve(view_of(b).columns(j, j + 1), view_of(x).columns(j, j + 1)).verdict, Verdict::solved);
        EXPECT_EQ(thin.report().factorization.status, FactorizationStatus::success);
      }
      if (j % 2 == 0) {
        EXPECT_EQ(thin.null_space().basis.num_cols, 0);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(x.values, expected.values);
}

TEST(ThinSystem, SolvesOneCallAndTriplets) {
  const SparseMatrix<double> matrix = testing::reducible_matrix<double>(std::vector<Index>(100, 3), 2, Shuffle::apart, 8);
  const std::vector<double> b(300, 1.0);
  const Solution<double> solution = solve<double>(SystemMatrix<double>(matrix), b);
  EXPECT_EQ(solution.report.verdict, Verdict::solved);
  Triplets<double> entries{300, 300, Symmetry::general};
  testing::for_each_entry(matrix, [&](Index i, Index j, double value) { entries.add(i, j, value); });
  const Factorization<double> of_triplets(entries);
  std::vector<double> x(300);
  EXPECT_EQ(of_triplets.solve(b, x).verdict, Verdict::solved);
  EXPECT_EQ(x, solution.x);
  EXPECT_TRUE(of_triplets.analysis().thin());
}

}  // namespace
}  // namespace frond
