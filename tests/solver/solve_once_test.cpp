// SPDX-License-Identifier: BSD-3-Clause
// Right-hand sides eliminated with the matrix, judged from the dense matrix, and what happens when half of the factors will not do.
#include "solver/solve_once.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "factorization/kernels/matrix_view.hpp"
#include "matrices/build.hpp"
#include "matrices/error.hpp"
#include "solver/factorization.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

using testing::Flavour;

SolverOptions on_threads(int num_threads) {
  SolverOptions options;
  options.factorization.num_threads = num_threads;
  return options;
}

bool has_note(const SystemReport& report, const std::string& words) {
  return std::any_of(report.notes.begin(), report.notes.end(),
                     [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

template <Scalar S>
struct Solved {
  OnceReport report;
  DenseMatrix<S> x;
};

template <Scalar S>
Solved<S> solve(const SystemMatrix<S>& matrix, const DenseMatrix<S>& b, const SolverOptions& options) {
  Solved<S> solved{{}, DenseMatrix<S>(b.num_rows, b.num_cols)};
  solved.report = solve_once(analyze(matrix, options), matrix, view_of(b), view_of(solved.x), options);
  return solved;
}

template <class S>
class SolveOnceTest : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SolveOnceTest, Scalars);

TYPED_TEST(SolveOnceTest, HalfOfTheFactorsSolves) {
  using S = TypeParam;
  const double eps = std::numeric_limits<RealOf<S>>::epsilon();
  const SparseMatrix<S> matrix = testing::random_matrix<S>(300, 4, Symmetry::general, Flavour::dominant, 1);
  for (const Index num_columns : {1, 3, 70}) {
    const DenseMatrix<S> b = testing::random_dense<S>(300, num_columns, 2);
    Solved<S> first;
    for (const int num_threads : {1, 2}) {
      const Solved<S> solved = solve<S>(matrix, b, on_threads(num_threads));
      EXPECT_TRUE(solved.report.system.notes.empty()) << solved.report.system.notes.front();
      EXPECT_EQ(solved.report.solve.verdict, Verdict::solved);
      EXPECT_EQ(solved.report.solve.columns.size(), static_cast<std::size_t>(num_columns));
      EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), solved.x, b), 50 * eps);
      if (num_threads == 1) {
        first = solved;
      }
      EXPECT_EQ(solved.x.values, first.x.values) << "bits depend on threads";
    }
    const Factorization<S> factorization(analyze(matrix), matrix);
    DenseMatrix<S> x(300, num_columns);
    ASSERT_EQ(factorization.solve(view_of(b), view_of(x)).verdict, Verdict::solved);
    for (std::size_t k = 0; k < x.values.size(); ++k) {
      EXPECT_LE(std::abs(x.values[k] - first.x.values[k]), 1000 * eps);
    }
  }
}

// Delayed variables wait for their ancestor in the right-hand sides, too.
TYPED_TEST(SolveOnceTest, DelayedPivotsAreEliminatedWithTheirRightHandSides) {
  using S = TypeParam;
  int num_half = 0;
  for (int seed = 1; seed <= 10; ++seed) {
    const SparseMatrix<S> matrix = testing::random_matrix<S>(200, 3, Symmetry::general, Flavour::zero_diagonal, seed);
    const DenseMatrix<S> b = testing::random_dense<S>(200, 2, seed);
    SolverOptions options = on_threads(2);
    options.analysis.ordering.matching = MatchingUse::never;
    const Solved<S> solved = solve<S>(matrix, b, options);
    EXPECT_GT(solved.report.system.factorization.num_delayed_pivots, 0);
    EXPECT_EQ(solved.report.solve.verdict, Verdict::solved);
    EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), solved.x, b),
              100 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()));
    num_half += solved.report.system.notes.empty() ? 1 : 0;
  }
  EXPECT_GT(num_half, 0);
}

TYPED_TEST(SolveOnceTest, SparseAndZeroRightHandSides) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = testing::random_matrix<S>(300, 3, Symmetry::general, Flavour::dominant, 1);
  DenseMatrix<S> b(300, 3);
  b(7, 1) = S(1);
  b(250, 2) = S(1);
  const Solved<S> solved = solve<S>(matrix, b, on_threads(1));
  EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), solved.x, b),
            50 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()));
  EXPECT_TRUE(std::all_of(solved.x.values.begin(), solved.x.values.begin() + 300, [](S value) { return value == S(0); }));
}

// What solve_once() gives when half of the factors do not do is what a Factorization gives.
template <Scalar S>
void expect_as_with_all_factors(const Solved<S>& solved, const SparseMatrix<S>& matrix, const DenseMatrix<S>& b,
                                const SolverOptions& options) {
  const Factorization<S> factorization(analyze(matrix, options), matrix, options);
  DenseMatrix<S> x(b.num_rows, b.num_cols);
  EXPECT_EQ(factorization.solve(view_of(b), view_of(x)).verdict, solved.report.solve.verdict);
  EXPECT_EQ(x.values, solved.x.values);
}

TYPED_TEST(SolveOnceTest, PerturbedPivotsAreRefined) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = testing::random_matrix<S>(100, 3, Symmetry::general, Flavour::zero_diagonal, 1);
  const DenseMatrix<S> b = testing::random_dense<S>(100, 2, 2);
  SolverOptions options = on_threads(1);
  options.analysis.ordering.matching = MatchingUse::never;
  options.factorization.pivoting.kind = PivotingKind::static_structure;
  options.factorization.pivoting.perturbation = 0.01;
  const Solved<S> solved = solve<S>(matrix, b, options);
  EXPECT_TRUE(has_note(solved.report.system, "factorized again, keeping all factors: static pivoting"));
  expect_as_with_all_factors(solved, matrix, b, options);
}

// In this order and without a pivot test.
TYPED_TEST(SolveOnceTest, GrownEntriesAreNoticedByTheBackwardError) {
  using S = TypeParam;
  SolverOptions options = on_threads(1);
  options.analysis.ordering.kind = OrderingKind::natural;
  options.analysis.ordering.matching = MatchingUse::never;
  options.analysis.amalgamation.enabled = false;
  options.scaling.kind = ScalingKind::none;
  options.factorization.pivoting.pivot_threshold = 0;
  const SparseMatrix<S> matrix = testing::growing_matrix<S>();
  const DenseMatrix<S> b = testing::random_dense<S>(3, 2, 2);
  const Solved<S> solved = solve<S>(matrix, b, options);
  EXPECT_TRUE(has_note(solved.report.system, "X needs refinement, its componentwise"));
  EXPECT_EQ(solved.report.solve.verdict, Verdict::solved);
  EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), solved.x, b), kAccuracyTarget<S>);
  expect_as_with_all_factors(solved, matrix, b, options);
}

TYPED_TEST(SolveOnceTest, SingularMatricesAreRecognized) {
  using S = TypeParam;
  Triplets<S> entries{.num_rows = 4, .num_cols = 4, .symmetry = Symmetry::general};
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 4; ++j) {
      entries.add(i, j, S(static_cast<RealOf<S>>(i + j + 1)));  // rank 2
    }
  }
  const SparseMatrix<S> matrix = compress(std::move(entries));
  DenseMatrix<S> b(4, 1);
  b(0, 0) = S(1);
  const Solved<S> solved = solve<S>(matrix, b, {});
  EXPECT_EQ(solved.report.solve.verdict, Verdict::singular);
  EXPECT_EQ(solved.report.solve.num_null_pivots(), 2);
  EXPECT_TRUE(has_note(solved.report.system, "looks singular"));
}

TYPED_TEST(SolveOnceTest, OtherMatricesAreSolvedTheOrdinaryWay) {
  using S = TypeParam;
  const double eps = std::numeric_limits<RealOf<S>>::epsilon();
  const DenseMatrix<S> b = testing::random_dense<S>(100, 2, 2);
  const SparseMatrix<S> symmetric = testing::random_matrix<S>(100, 3, Symmetry::symmetric, Flavour::zero_diagonal, 1);
  const Solved<S> of_symmetric = solve<S>(symmetric, b, {});
  EXPECT_TRUE(has_note(of_symmetric.report.system, "serves both sweeps"));
  EXPECT_LE(testing::dense_backward_error(testing::dense(symmetric), of_symmetric.x, b), 100 * eps);
  const SparseMatrix<S> general = testing::random_matrix<S>(100, 3, Symmetry::general, Flavour::dominant, 1);
  SystemMatrix<S> by_rows(general);
  by_rows.transposed = true;
  const Solved<S> of_rows = solve<S>(by_rows, b, {});
  EXPECT_TRUE(has_note(of_rows.report.system, "stored by rows"));
  EXPECT_LE(testing::dense_backward_error(testing::dense(general, Operation::transposed), of_rows.x, b), 100 * eps);
}

TYPED_TEST(SolveOnceTest, OrdersZeroAndOne) {
  using S = TypeParam;
  Triplets<S> none{.num_rows = 0, .num_cols = 0, .symmetry = Symmetry::general};
  const SparseMatrix<S> empty = compress(std::move(none));
  EXPECT_EQ(solve<S>(empty, DenseMatrix<S>(0, 1), {}).report.solve.verdict, Verdict::solved);
  Triplets<S> one{.num_rows = 1, .num_cols = 1, .symmetry = Symmetry::general};
  one.add(0, 0, S(4));
  const SparseMatrix<S> single = compress(std::move(one));
  DenseMatrix<S> b(1, 1);
  b(0, 0) = S(2);
  const Solved<S> solved = solve<S>(single, b, {});
  EXPECT_TRUE(solved.report.system.notes.empty()) << solved.report.system.notes.front();
  EXPECT_EQ(solved.report.system.rank.lowest, 1);
  EXPECT_EQ(solved.report.system.rank.highest, 1);
  EXPECT_EQ(solved.x(0, 0), S(0.5));
  S x{};
  EXPECT_EQ(solve_once<S>(analyze(single), single, b.values, std::span(&x, 1)).solve.verdict, Verdict::solved);
  EXPECT_EQ(x, S(0.5));
  DenseMatrix<S> short_x(0, 1);
  EXPECT_THROW((void)solve_once<S>(analyze(single), single, view_of(std::as_const(b)), view_of(short_x)), UsageError);
}

// Half of the entries, and what of block columns lies above the diagonal.
TEST(SolveOnce, KeepsTheFactorOfTheBackwardSweep) {
  SparseMatrix<double> matrix = testing::laplacian<double>(16);
  SolverOptions options = on_threads(1);
  options.method = Method::lu;
  const DenseMatrix<double> b = testing::random_dense<double>(matrix.num_rows, 1, 2);
  const Solved<double> solved = solve<double>(matrix, b, options);
  EXPECT_TRUE(solved.report.system.notes.empty()) << solved.report.system.notes.front();
  const Factorization<double> all(analyze<double>(matrix, options), matrix, options);
  const FactorizationReport& half = solved.report.system.factorization;
  EXPECT_LT(half.factor_bytes, all.report().factorization.factor_bytes * 65 / 100);
  EXPECT_LT(half.peak_bytes, all.report().factorization.peak_bytes * 9 / 10);
  EXPECT_EQ(half.factor_entries, all.report().factorization.factor_entries);
}

}  // namespace
}  // namespace frond
