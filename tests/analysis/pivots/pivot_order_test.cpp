// SPDX-License-Identifier: BSD-3-Clause
// Tests when a matching is used, and that the resulting orders are those of the matched matrix.
#include "analysis/pivots/pivot_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "analysis/pivots/pivot_pairs.hpp"
#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "matrices/generate.hpp"
#include "tests/support/matrices/patterns.hpp"
#include "tests/support/oracles/reference.hpp"

namespace frond::test {
namespace {

std::vector<double> magnitudes_of(const SparseMatrix<double>& matrix) {
  std::vector<double> magnitudes(matrix.values.size());
  std::transform(matrix.values.begin(), matrix.values.end(), magnitudes.begin(), [](double value) { return std::abs(value); });
  return magnitudes;
}

// Calls add(row, column, value) for the entries of the Laplacian of an n x n grid.
template <class Add>
void add_grid(Index n, const Add& add) {
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const Index k = n * i + j;
      add(k, k, 4);
      if (i > 0) {
        add(k, k - n, -1);
        add(k - n, k, -1);
      }
      if (j > 0) {
        add(k, k - 1, -1);
        add(k - 1, k, -1);
      }
    }
  }
}

// Two grids of n x n variables, coupled one to one: [d I, I + L; I + L, d I]. By the pattern alone many variables come before those
// that they need where d is 0, which is not stored, or too small for a pivot.
SparseMatrix<double> coupled_grids(Index n, Symmetry symmetry, double diagonal = 0) {
  Triplets<double> triplets{2 * n * n, 2 * n * n, symmetry};
  for (Index k = 0; diagonal > 0 && k < 2 * n * n; ++k) {
    triplets.add(k, k, diagonal);
  }
  const auto couple = [&](Index a, Index b, double value) {
    triplets.add(n * n + a, b, value);
    if (symmetry == Symmetry::general) {
      triplets.add(b, n * n + a, value);
    }
  };
  add_grid(n, couple);
  return compress(std::move(triplets));
}

// A cyclic shift of the rows of a grid: all large entries are off the diagonal.
SparseMatrix<double> shifted_grid(Index n) {
  Triplets<double> triplets{n * n, n * n};
  const auto add = [&](Index row, Index column, double value) { triplets.add((row + 17) % (n * n), column, value); };
  add_grid(n, add);
  return compress(std::move(triplets));
}

AnalysisOptions with(Use matching, OrderingKind kind = OrderingKind::automatic) {
  return {.ordering = {.kind = kind, .matching = matching}};
}

std::shared_ptr<const Symbolic> analysis_of(const SparseMatrix<double>& matrix, const AnalysisOptions& options) {
  return analyze(matrix.pattern(), options, magnitudes_of(matrix));
}

TEST(PivotOrder, KeepsPairsTogetherWherePivotsWouldWait) {
  const SparseMatrix<double> matrix = coupled_grids(40, Symmetry::symmetric);
  for (const OrderingKind kind : {OrderingKind::automatic, OrderingKind::dissection, OrderingKind::metis, OrderingKind::amd}) {
    const auto symbolic = analysis_of(matrix, with(Use::automatic, kind));
    EXPECT_EQ(symbolic->ordering().matching, MatchingKind::pairs);
    EXPECT_TRUE(symbolic->row_of_column().empty());
    const std::vector<Index> partners =
        pivot_partners(expand_to_general(MatrixView<double>{matrix.pattern(), magnitudes_of(matrix)}).view());
    const std::vector<Index>& places = symbolic->permutation().inverse_perm;
    for (Index k = 0; k < matrix.num_cols; ++k) {
      EXPECT_NE(partners[k], k);
      EXPECT_EQ(std::abs(places[k] - places[partners[k]]), 1);
    }
  }
}

TEST(PivotOrder, LeavesTheOrderToThePatternWhereALoweredThresholdAvoidsTheDelays) {
  for (const double diagonal : {1e-5, 1e-8}) {
    const SparseMatrix<double> matrix = coupled_grids(40, Symmetry::symmetric, diagonal);
    const auto symbolic = analyze(matrix.pattern(), {}, {magnitudes_of(matrix), 1e-6});
    EXPECT_EQ(symbolic->ordering().has_dear_delays, diagonal > 1e-6);
    EXPECT_EQ(symbolic->ordering().matching, diagonal > 1e-6 ? MatchingKind::none : MatchingKind::pairs);
    EXPECT_EQ(analysis_of(matrix, {})->ordering().matching, MatchingKind::pairs);
  }
}

TEST(PivotOrder, WaitsForMagnitudesThatAreOnTheirWay) {
  for (const SparseMatrix<double>& matrix : {coupled_grids(20, Symmetry::symmetric), shifted_grid(20)}) {
    for (const Use matching : {Use::never, Use::automatic, Use::always}) {
      int num_asked = 0;
      const std::vector<double> magnitudes = magnitudes_of(matrix);
      const PivotMagnitudes late([&] {
        ++num_asked;
        return std::span<const double>(magnitudes);
      });
      const auto symbolic = analyze(matrix.pattern(), with(matching), late);
      const auto expected = analysis_of(matrix, with(matching));
      EXPECT_EQ(symbolic->permutation().perm, expected->permutation().perm);
      EXPECT_EQ(symbolic->row_of_column(), expected->row_of_column());
      EXPECT_EQ(num_asked > 0, matching != Use::never);
    }
  }
}

TEST(PivotOrder, ThrowsWhatComesInThePlaceOfMagnitudes) {
  const PivotMagnitudes never([]() -> std::span<const double> { throw StoppedError("they do not come"); });
  EXPECT_THROW(static_cast<void>(analyze(shifted_grid(10).pattern(), with(Use::automatic), never)), StoppedError);
}

TEST(PivotOrder, MatchesRowsWhereTheDiagonalIsElsewhere) {
  const SparseMatrix<double> matrix = shifted_grid(30);
  const auto symbolic = analysis_of(matrix, with(Use::automatic));
  ASSERT_EQ(symbolic->ordering().matching, MatchingKind::rows);
  for (Index column = 0; column < matrix.num_cols; ++column) {
    EXPECT_EQ(symbolic->row_of_column()[column], (column + 17) % matrix.num_cols);
  }
  for (Index k = 0; k < matrix.num_cols; ++k) {
    EXPECT_EQ(symbolic->row_perm()[k], symbolic->row_of_column()[symbolic->permutation().perm[k]]);
  }
  const auto by_pattern = analysis_of(matrix, with(Use::never));
  EXPECT_EQ(by_pattern->ordering().matching, MatchingKind::none);
  EXPECT_EQ(by_pattern->row_perm(), by_pattern->permutation().perm);
  EXPECT_LT(symbolic->estimate(Method::lu).elimination_flops, 0.5 * by_pattern->estimate(Method::lu).elimination_flops);
}

// The entries of the fronts are those of the matrix with its rows permuted.
TEST(PivotOrder, MapsTheEntriesOfTheMatchedMatrix) {
  const SparseMatrix<double> matrix = shifted_grid(9);
  const auto symbolic = analysis_of(matrix, with(Use::always));
  ASSERT_EQ(symbolic->ordering().matching, MatchingKind::rows);
  PatternView matched = matrix.pattern();
  const LargeVector<Index> rows = renumbered_rows(matched, symbolic->row_of_column());
  matched.row_indices = rows;
  EXPECT_EQ(check_structure(symbolic->tree(), NaiveFactor(matched, symbolic->permutation().perm), false), "");
  EXPECT_EQ(check_entries(symbolic->entries(), symbolic->tree(), matched, symbolic->permutation().inverse_perm), "");
}

TEST(PivotOrder, LeavesStrongDiagonalsAndOtherMethodsAlone) {
  const SparseMatrix<double> saddle = coupled_grids(20, Symmetry::symmetric);
  const auto matching_of = [](const SparseMatrix<double>& matrix, const AnalysisOptions& options) {
    return analysis_of(matrix, options)->ordering().matching;
  };
  for (const Use use : {Use::automatic, Use::always}) {
    for (const OrderingKind kind : {OrderingKind::automatic, OrderingKind::dissection, OrderingKind::amd}) {
      Triplets<double> diagonal{50, 50};
      for (Index k = 0; k < 50; ++k) {
        diagonal.add(k, k, 1);
        diagonal.add(k, (k + 1) % 50, 20);
      }
      EXPECT_EQ(matching_of(compress(std::move(diagonal)), with(use, kind)), MatchingKind::none);
    }
    EXPECT_EQ(matching_of(saddle, with(use, OrderingKind::natural)), MatchingKind::none);
    AnalysisOptions cholesky = with(use);
    cholesky.method = Method::cholesky;
    EXPECT_EQ(matching_of(saddle, cholesky), MatchingKind::none);
    EXPECT_EQ(analyze(saddle.pattern(), with(use))->ordering().matching, MatchingKind::none) << "without values";
  }
  EXPECT_EQ(matching_of(saddle, with(Use::never)), MatchingKind::none);
}

// One zero on the diagonal of a grid costs only one delay.
TEST(PivotOrder, MatchesForFewZerosOnlyIfAsked) {
  const Index n = 400;
  Triplets<double> triplets{n, n};
  for (Index k = 0; k < n; ++k) {
    triplets.add(k, k, k == 7 ? 0 : 2);
    for (const Index step : {1, 20}) {
      if (k + step < n) {
        triplets.add(k + step, k, -1);
        triplets.add(k, k + step, -1);
      }
    }
  }
  const SparseMatrix<double> matrix = compress(std::move(triplets));
  EXPECT_EQ(analysis_of(matrix, with(Use::automatic))->ordering().matching, MatchingKind::none);
  const auto matched = analysis_of(matrix, with(Use::always));
  EXPECT_EQ(matched->ordering().matching, MatchingKind::rows);
  EXPECT_NE(matched->row_of_column()[7], 7);
}

TEST(PivotOrder, DoesNotDependOnTheNumberOfThreads) {
  for (const SparseMatrix<double>& matrix : {coupled_grids(30, Symmetry::symmetric), coupled_grids(30, Symmetry::general)}) {
    AnalysisOptions options = with(Use::always, OrderingKind::dissection);
    const auto expected = analysis_of(matrix, options);
    options.ordering.num_threads = 4;
    const auto symbolic = analysis_of(matrix, options);
    EXPECT_EQ(symbolic->permutation().perm, expected->permutation().perm);
    EXPECT_EQ(symbolic->row_perm(), expected->row_perm());
  }
}

TEST(PivotOrder, RefusesAGivenMatchingThatIsNone) {
  const SparseMatrix<double> matrix = shifted_grid(2);
  AnalysisOptions options = with(Use::automatic, OrderingKind::given);
  options.ordering.perm = {0, 1, 2, 3};
  options.ordering.row_of_column = {0, 1, 1, 3};
  EXPECT_THROW((void)analyze(matrix.pattern(), options), UsageError);
  options.ordering.row_of_column = {0, 1, 2};
  EXPECT_THROW((void)analyze(matrix.pattern(), options), UsageError);
  const SparseMatrix<double> symmetric = coupled_grids(1, Symmetry::symmetric);
  options.ordering.perm = {0, 1};
  options.ordering.row_of_column = {1, 0};
  EXPECT_THROW((void)analyze(symmetric.pattern(), options), UsageError) << "rows of one triangle";
}

TEST(VariableOrder, GivenToTheAnalysisMakesTheSameFronts) {
  for (const OrderingKind kind :
       {OrderingKind::automatic, OrderingKind::dissection, OrderingKind::metis, OrderingKind::amd, OrderingKind::natural}) {
    const Pattern pattern = grid_pattern(12, 11, 3);
    AnalysisOptions options{.ordering = {.kind = kind}};
    const VariableOrder order = order_variables(pattern.view(), {}, options);
    EXPECT_NE(order.kind, OrderingKind::automatic);
    const auto expected = analyze(pattern.view(), options);
    EXPECT_EQ(order.kind, expected->ordering().kind);
    options.ordering = {.kind = OrderingKind::given, .perm = order.perm};
    const auto given = analyze(pattern.view(), options);
    EXPECT_EQ(given->estimate(Method::lu).elimination_flops, expected->estimate(Method::lu).elimination_flops);
    EXPECT_EQ(given->estimate(Method::lu).max_front_order, expected->estimate(Method::lu).max_front_order);
  }
}

TEST(VariableOrder, GivenToTheAnalysisKeepsTheMatching) {
  for (const SparseMatrix<double>& matrix : {shifted_grid(12), coupled_grids(12, Symmetry::symmetric)}) {
    AnalysisOptions options = with(Use::always);
    const VariableOrder order = order_variables(matrix.pattern(), magnitudes_of(matrix), options);
    const auto expected = analysis_of(matrix, options);
    EXPECT_EQ(order.matching, expected->ordering().matching);
    EXPECT_NE(order.matching, MatchingKind::none);
    options.ordering = {.kind = OrderingKind::given, .perm = order.perm, .row_of_column = order.row_of_column};
    const auto given = analyze(matrix.pattern(), options);
    EXPECT_EQ(given->row_of_column(), expected->row_of_column());
    EXPECT_EQ(given->estimate(Method::lu).elimination_flops, expected->estimate(Method::lu).elimination_flops);
  }
}

}  // namespace
}  // namespace frond::test
