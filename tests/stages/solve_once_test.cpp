// SPDX-License-Identifier: BSD-3-Clause
// Tests right-hand sides eliminated with the matrix against the dense matrix, and the fallback when half of the factors do not
// suffice.
#include "frond/solve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "solver/numerics/problem/report.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/owned_sides.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/singular_systems.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::stages {
namespace {

using testing::Flavour;

template <Scalar S>
struct Solved {
  OnceReport report;
  DenseMatrix<S> x;

  [[nodiscard]] bool has_note(const std::string& words) const { return stages::has_note(report.system.notes, words); }
};

template <class S>
class SolveOnce : public ::testing::Test {
 protected:
  static constexpr double kEps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

  static Solved<S> solve(const SystemMatrix<S>& matrix, const DenseMatrix<S>& b, const StageOptions& options) {
    Solved<S> solved{{}, DenseMatrix<S>(b.num_rows, b.num_cols)};
    solved.report = analyse(matrix, options)->solve_once(b, solved.x);
    expect_same_everywhere(solved.report.system.notes);
    return solved;
  }

  static void expect_same_everywhere(const std::vector<std::string>& notes) {
    std::string text;
    for (const std::string& note : notes) {
      text += note + "\n";
    }
    std::string of_leader = text;
    share_list(team(), of_leader);
    EXPECT_EQ(text, of_leader);
  }

  // Where half of the factors do not suffice, the result is that of a factorization. On several ranks its bits depend on the chosen
  // slaves.
  static void expect_as_with_all_factors(const Solved<S>& solved, const SparseMatrix<S>& matrix, const DenseMatrix<S>& b,
                                         const StageOptions& options) {
    const auto factorization = factorize<S>(matrix, options);
    DenseMatrix<S> x(b.num_rows, b.num_cols);
    const SolveReport report = factorization->solve(b, x);
    EXPECT_EQ(report.verdict, solved.report.solve.verdict);
    EXPECT_EQ(report.num_null_pivots(), solved.report.solve.num_null_pivots());
    EXPECT_EQ(factorization->report().factorization.factor_entries, solved.report.system.factorization.factor_entries);
    if (layouts().size() == 1) {
      EXPECT_EQ(x.values, solved.x.values);
    }
    if (report.verdict == Verdict::solved) {
      EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), solved.x, b), kAccuracyTarget<S>);
    }
  }
};
TYPED_TEST_SUITE(SolveOnce, test::Scalars);

TYPED_TEST(SolveOnce, HalfOfTheFactorsSolves) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = test::grid_matrix<S>(Symmetry::general, 6, 6, 6, test::Values::dominant, 1);
  const DenseMatrix<S> a = testing::dense(matrix);
  Spread spread;
  for (const Layout layout : layouts()) {
    StageOptions options{{}, layout};
    options.solver.method = Method::lu;
    spread += factorize<S>(matrix, options)->spread();
    for (const Index num_columns : {0, 1, 3, 70}) {
      const DenseMatrix<S> b = testing::random_dense<S>(216, num_columns, 2);
      const Solved<S> solved = this->solve(matrix, b, {{}, layout});
      EXPECT_FALSE(solved.has_note("factor")) << solved.report.system.notes.front();
      EXPECT_EQ(solved.report.solve.verdict, Verdict::solved);
      ASSERT_EQ(solved.report.solve.columns.size(), static_cast<std::size_t>(num_columns));
      EXPECT_LE(testing::dense_backward_error(a, solved.x, b), 50 * this->kEps);
      for (const ColumnReport& column : solved.report.solve.columns) {
        EXPECT_EQ(column.refinement_steps, 0);
        EXPECT_LE(column.componentwise_backward_error, 1000 * this->kEps);
      }
    }
  }
  expect_spread(spread);
}

// Delayed variables wait for their ancestor in the right-hand sides as well, and move between ranks with the contribution blocks.
TYPED_TEST(SolveOnce, DelayedPivotsAreEliminatedWithTheirRightHandSides) {
  using S = TypeParam;
  int num_half = 0;
  for (const Layout layout : layouts()) {
    for (int seed = 1; seed <= 5; ++seed) {
      const SparseMatrix<S> matrix = testing::random_matrix<S>(120, 3, Symmetry::general, Flavour::zero_diagonal, seed);
      const DenseMatrix<S> b = testing::random_dense<S>(120, 2, seed);
      StageOptions options{{}, layout};
      options.solver.analysis.ordering.matching = Use::never;
      const Solved<S> solved = this->solve(matrix, b, options);
      EXPECT_GT(solved.report.system.factorization.num_delayed_pivots, 0);
      EXPECT_EQ(solved.report.solve.verdict, Verdict::solved);
      EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), solved.x, b), 100 * this->kEps);
      num_half += solved.has_note("factorized again") ? 0 : 1;
    }
  }
  EXPECT_GT(num_half, 0);
}

TYPED_TEST(SolveOnce, SparseAndZeroRightHandSides) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = testing::random_matrix<S>(150, 3, Symmetry::general, Flavour::dominant, 1);
  DenseMatrix<S> b(150, 3);
  b(7, 1) = S(1);
  b(140, 2) = S(1);
  const Solved<S> solved = this->solve(matrix, b, {});
  EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), solved.x, b), 50 * this->kEps);
  EXPECT_TRUE(std::all_of(solved.x.values.begin(), solved.x.values.begin() + 150, [](S value) { return value == S(0); }));
}

TYPED_TEST(SolveOnce, PerturbedPivotsAreRefined) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = testing::random_matrix<S>(100, 3, Symmetry::general, Flavour::zero_diagonal, 1);
  const DenseMatrix<S> b = testing::random_dense<S>(100, 2, 2);
  StageOptions options;
  options.solver.analysis.ordering.matching = Use::never;
  options.solver.factorization.pivoting.kind = PivotingKind::static_structure;
  options.solver.factorization.pivoting.perturbation = 0.01;
  const Solved<S> solved = this->solve(matrix, b, options);
  EXPECT_TRUE(solved.has_note("factorized again, keeping all factors: static pivoting"));
  this->expect_as_with_all_factors(solved, matrix, b, options);
}

// Uses this order, and no pivot test.
TYPED_TEST(SolveOnce, GrownEntriesAreNoticedByTheBackwardError) {
  using S = TypeParam;
  StageOptions options;
  options.solver.analysis.ordering.kind = OrderingKind::natural;
  options.solver.analysis.ordering.matching = Use::never;
  options.solver.analysis.block_triangular = Use::never;
  options.solver.detect_symmetry = false;
  options.solver.analysis.amalgamate = false;
  options.solver.scaling = ScalingKind::none;
  options.solver.factorization.pivoting.pivot_threshold = 0;
  const SparseMatrix<S> matrix = testing::growing_matrix<S>();
  const DenseMatrix<S> b = testing::random_dense<S>(3, 2, 2);
  const Solved<S> solved = this->solve(matrix, b, options);
  EXPECT_TRUE(solved.has_note("X needs refinement, its componentwise"));
  EXPECT_EQ(solved.report.solve.verdict, Verdict::solved);
  this->expect_as_with_all_factors(solved, matrix, b, options);
}

TYPED_TEST(SolveOnce, SingularMatricesAreRecognized) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = testing::singular_matrix<S>(120, 3, Symmetry::general, 1);
  const DenseMatrix<S> b = testing::random_dense<S>(120, 2, 2);
  for (const Layout layout : layouts()) {
    const Solved<S> solved = this->solve(matrix, b, {{}, layout});
    EXPECT_EQ(solved.report.solve.verdict, Verdict::singular);
    EXPECT_EQ(solved.report.solve.num_null_pivots(), 3);
    EXPECT_TRUE(solved.has_note("factorized again, keeping all factors: the matrix looks singular"));
    this->expect_as_with_all_factors(solved, matrix, b, {{}, layout});
  }
}

TYPED_TEST(SolveOnce, OtherSystemsAreSolvedTheOrdinaryWay) {
  using S = TypeParam;
  const DenseMatrix<S> b = testing::random_dense<S>(100, 2, 2);
  const auto expect_note = [&](const std::string& words, const SystemMatrix<S>& matrix, const StageOptions& options) {
    const Solved<S> solved = this->solve(matrix, b, options);
    EXPECT_TRUE(solved.has_note("all factors were kept: ") && solved.has_note(words)) << words;
    EXPECT_EQ(solved.report.solve.verdict, Verdict::solved) << words;
    return solved.x;
  };
  const SparseMatrix<S> symmetric = testing::random_matrix<S>(100, 3, Symmetry::symmetric, Flavour::zero_diagonal, 1);
  EXPECT_LE(testing::dense_backward_error(testing::dense(symmetric), expect_note("serves both sweeps", symmetric, {}), b),
            100 * this->kEps);
  const SparseMatrix<S> general = testing::random_matrix<S>(100, 3, Symmetry::general, Flavour::dominant, 1);
  EXPECT_LE(testing::dense_backward_error(testing::dense(general, Operation::transposed),
                                          expect_note("stored by rows", SystemMatrix<S>(general.view(), true), {}), b),
            100 * this->kEps);
  StageOptions bounds;
  bounds.solver.error_bounds = ErrorBounds::all_columns;
  (void)expect_note("error bounds", general, bounds);
  StageOptions keeping;
  keeping.solver.analysis.schur_variables = {7, 3};
  (void)expect_note("Schur", general, keeping);
  StageOptions blocks;
  blocks.solver.analysis.block_triangular = Use::always;
  Triplets<S> triangular{.num_rows = 100, .num_cols = 100, .symmetry = Symmetry::general};
  for (Index i = 0; i < 100; ++i) {
    triangular.add(i, i, S(4));
    triangular.add(i, 99, S(1));
  }
  const SparseMatrix<S> of_blocks = compress(std::move(triangular));
  (void)expect_note("diagonal blocks", of_blocks, blocks);
  if constexpr (sizeof(RealOf<S>) == sizeof(double)) {
    StageOptions mixed;
    mixed.solver.mixed_precision = true;
    (void)expect_note("single precision", general, mixed);
  }
}

TYPED_TEST(SolveOnce, RowsAreGivenAndAskedForAnywhere) {
  using S = TypeParam;
  std::uint32_t seed = std::random_device{}();
  share_value(team(), seed);
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const SparseMatrix<S> matrix = testing::random_matrix<S>(150, 4, Symmetry::general, Flavour::dominant, 1);
  DenseMatrix<S> b = testing::random_dense<S>(150, 3, seed);
  testing::OwnedSides<S> mine = testing::scattered_sides(b, static_cast<Rank>(team().size()), random)[rank()];
  EXPECT_EQ(analyse<S>(matrix, {})->solve_once_rows(mine.view().b, mine.view().x).solve.verdict, Verdict::solved);
  const DenseMatrix<S> expected = mine.rows_asked_for(this->solve(matrix, b, {}).x);
  for (std::size_t k = 0; k < expected.values.size(); ++k) {
    EXPECT_LE(std::abs(mine.x.values[k] - expected.values[k]), 1000 * this->kEps);  // slaves are chosen by load
  }
}

// Every rank throws, whichever rank passed the invalid part.
TYPED_TEST(SolveOnce, WhatIsWrongOnOneRankIsThrownOnAll) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = testing::random_matrix<S>(100, 3, Symmetry::general, Flavour::dominant, 1);
  const auto system = analyse<S>(matrix, {});
  const std::vector<Index> rows = {5};
  const std::vector<Index> no_such_row = {is_last_here() ? 100 : 5};
  DenseMatrix<S> b(1, 1);
  DenseMatrix<S> x(1, 1);
  EXPECT_THROW((void)system->solve_once_rows({no_such_row, view_of(std::as_const(b))}, {rows, view_of(x)}), UsageError);
  b.values[0] = is_last_here() ? std::numeric_limits<RealOf<S>>::quiet_NaN() : RealOf<S>(1);
  EXPECT_THROW((void)system->solve_once_rows({rows, view_of(std::as_const(b))}, {rows, view_of(x)}), UsageError);
  b.values[0] = S(1);
  EXPECT_EQ(system->solve_once_rows({rows, view_of(std::as_const(b))}, {rows, view_of(x)}).solve.verdict, Verdict::solved);
}

TYPED_TEST(SolveOnce, LackOfMemoryOnOneRankEndsAll) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = testing::random_matrix<S>(150, 4, Symmetry::general, Flavour::dominant, 1);
  StageOptions options;
  options.solver.factorization.memory_limit = is_last_here() ? 1000 : Count{1} << 30;
  EXPECT_THROW((void)this->solve(matrix, testing::random_dense<S>(150, 2, 2), options), MemoryError);
  EXPECT_EQ(this->solve(matrix, testing::random_dense<S>(150, 2, 2), {}).report.solve.verdict, Verdict::solved);
}

TYPED_TEST(SolveOnce, OrdersZeroAndOne) {
  using S = TypeParam;
  StageOptions options;
  options.solver.detect_symmetry = false;  // symmetric methods keep all factors
  for (const Index order : {0, 1}) {
    Triplets<S> entries{.num_rows = order, .num_cols = order, .symmetry = Symmetry::general};
    for (Index i = 0; i < order; ++i) {
      entries.add(i, i, S(4));
    }
    const SparseMatrix<S> matrix = compress(std::move(entries));
    DenseMatrix<S> b(order, 1);
    std::fill(b.values.begin(), b.values.end(), S(2));
    const Solved<S> solved = this->solve(matrix, b, options);
    EXPECT_EQ(solved.report.solve.verdict, Verdict::solved);
    EXPECT_FALSE(solved.has_note("factor"));
    EXPECT_EQ(solved.report.system.rank.lowest, order);
    EXPECT_EQ(solved.report.system.rank.highest, order);
    EXPECT_TRUE(std::all_of(solved.x.values.begin(), solved.x.values.end(), [](S value) { return value == S(0.5); }));
  }
}

}  // namespace
}  // namespace frond::stages
