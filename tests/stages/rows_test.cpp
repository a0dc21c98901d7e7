// SPDX-License-Identifier: BSD-3-Clause
// Tests rows given and requested by any rank, Schur complements by rows and by parts, and matrices given as triplets.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "frond/error.hpp"
#include "solver/numerics/problem/report.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/owned_sides.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::stages {
namespace {

using frond::testing::Flavour;
using frond::testing::OwnedSides;

template <class S>
class RowsOnStage : public ::testing::Test {
 protected:
  static constexpr Index kOrder = 90;
  static constexpr double kEps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

  RowsOnStage() : matrix_(frond::testing::random_matrix<S>(kOrder, 4, Symmetry::general, Flavour::dominant, 3)), random_(7) {}

  // Returns this rank's rows, which differ between ranks, some split in two halves; all ranks draw the same right-hand sides.
  [[nodiscard]] OwnedSides<S> mine(DenseMatrix<S>& b) {
    return frond::testing::scattered_sides(b, static_cast<Rank>(team().size()), random_)[team_rank()];
  }
  [[nodiscard]] static std::size_t team_rank() { return static_cast<std::size_t>(stages::rank()); }

  // Checks the rows asked for against the whole solution.
  static void expect_rows(const OwnedSides<S>& mine, const DenseMatrix<S>& whole, double tolerance) {
    const DenseMatrix<S> expected = mine.rows_asked_for(whole);
    ASSERT_EQ(mine.x.values.size(), expected.values.size());
    for (std::size_t k = 0; k < expected.values.size(); ++k) {
      EXPECT_LE(std::abs(mine.x.values[k] - expected.values[k]), tolerance);
    }
  }

  SparseMatrix<S> matrix_;
  std::mt19937 random_;
};
TYPED_TEST_SUITE(RowsOnStage, test::Scalars);

TYPED_TEST(RowsOnStage, AreThoseOfTheWholeAnswer) {
  using S = TypeParam;
  const auto factorization = factorize<S>(this->matrix_, {});
  for (const Operation operation : test::kOperations) {
    DenseMatrix<S> b = frond::testing::random_dense<S>(this->kOrder, 3, 5);
    OwnedSides<S> mine = this->mine(b);
    EXPECT_EQ(factorization->calls().solve_rows(mine.view().b, mine.view().x, operation).verdict, Verdict::solved);
    DenseMatrix<S> x(this->kOrder, 3);
    (void)factorization->solve(b, x, operation);
    this->expect_rows(mine, x, 1e3 * this->kEps);
  }
}

TYPED_TEST(RowsOnStage, ServeSchurComplements) {
  using S = TypeParam;
  StageOptions options;
  options.solver.analysis.schur_variables = {80, 3, 41, 7};
  const std::vector<Index>& kept = options.solver.analysis.schur_variables;
  const auto factorization = factorize<S>(this->matrix_, options);
  for (const Operation operation : test::kOperations) {
    DenseMatrix<S> b = frond::testing::random_dense<S>(this->kOrder, 2, 5);
    OwnedSides<S> mine = this->mine(b);
    DenseMatrix<S> condensed(4, 2);
    factorization->calls().condense(led(view_of(std::as_const(b))), led(view_of(condensed)), operation);
    share_list(team(), condensed.values);
    // Every rank asks for two rows, in reverse order.
    const std::vector<Index> asked = {kept[2], kept[0]};
    DenseMatrix<S> two(2, 2);
    factorization->calls().condense_rows(mine.view().b, {asked, view_of(two)}, operation);
    for (Index j = 0; j < 2; ++j) {
      EXPECT_LE(std::abs(two(0, j) - condensed(2, j)), 1e3 * this->kEps);
      EXPECT_LE(std::abs(two(1, j) - condensed(0, j)), 1e3 * this->kEps);
    }
    const DenseMatrix<S> x2 = frond::testing::random_dense<S>(4, 2, 9);
    DenseMatrix<S> x(this->kOrder, 2);
    factorization->calls().expand(led(view_of(std::as_const(b))), led(view_of(x2)), led(view_of(x)), operation);
    share_list(team(), x.values);
    factorization->calls().expand_rows(mine.view().b, led(DenseRows<const S>{kept, view_of(x2)}), mine.view().x, operation);
    this->expect_rows(mine, x, 1e3 * this->kEps);
  }
}

TYPED_TEST(RowsOnStage, PartsMakeASchurComplement) {
  using S = TypeParam;
  StageOptions options;
  for (Index k = 0; k < 12; ++k) {
    options.solver.analysis.schur_variables.push_back(5 * k);
  }
  const auto factorization = factorize<S>(this->matrix_, options);
  DenseMatrix<S> whole = factorization->calls().schur_complement();
  EXPECT_EQ(whole.values.empty(), !is_led_here());
  whole.num_rows = whole.num_cols = 12;
  share_list(team(), whole.values);
  const SchurPart<S> part = factorization->calls().schur_part({.block_size = 2});
  EXPECT_EQ(part.order, 12);
  EXPECT_LE(part.grid.num_rows * part.grid.num_cols, team().size());
  for (Index j = 0; j < part.num_cols; ++j) {
    for (Index i = 0; i < part.num_rows; ++i) {
      const Index row = (i / 2 * part.grid.num_rows + part.row) * 2 + i % 2;
      const Index col = (j / 2 * part.grid.num_cols + part.col) * 2 + j % 2;
      EXPECT_EQ(part.entries[static_cast<std::size_t>(i + j * part.num_rows)], whole(row, col));
    }
  }
  EXPECT_THROW((void)factorization->calls().schur_part({.num_rows = 1, .num_cols = static_cast<Rank>(team().size()) + 1}),
               UsageError);
}

// The matrix has other values than the analysed one, given entry by entry, each on some rank.
TYPED_TEST(RowsOnStage, MatricesComeAsTriplets) {
  using S = TypeParam;
  const Analysis analysis = analyze_here<S>(led(SystemMatrix<S>(this->matrix_)), {});
  Triplets<S> mine{.num_rows = this->kOrder, .num_cols = this->kOrder};
  SparseMatrix<S> other = this->matrix_;
  std::size_t turn = 0;
  for (Index j = 0; j < this->kOrder; ++j) {
    for (auto k = static_cast<std::size_t>(other.column_offsets[static_cast<std::size_t>(j)]);
         k < static_cast<std::size_t>(other.column_offsets[static_cast<std::size_t>(j) + 1]); ++k) {
      other.values[k] *= S(2);
      if (turn++ % static_cast<std::size_t>(team().size()) == this->team_rank()) {
        mine.add(other.row_indices[k], j, this->matrix_.values[k]);
        mine.add(other.row_indices[k], j, this->matrix_.values[k]);
      }
    }
  }
  const StagedFactorization<S> factorization{Factorization<S>(analysis, mine)};
  mine = {};
  const DenseMatrix<S> b = frond::testing::random_dense<S>(this->kOrder, 1, 5);
  DenseMatrix<S> x(this->kOrder, 1);
  EXPECT_EQ(factorization.solve(b, x).verdict, Verdict::solved);
  EXPECT_LE(frond::testing::dense_backward_error(frond::testing::dense(other), x, b), kAccuracyTarget<S>);
  EXPECT_EQ(factorization.calls().rank_reports().size(), static_cast<std::size_t>(team().size()));
}

// The leading rank's operation counts, whatever the others pass.
TYPED_TEST(RowsOnStage, GoByTheOperationWhereTheStageIsLed) {
  using S = TypeParam;
  const auto factorization = factorize<S>(this->matrix_, {});
  const DenseMatrix<S> b = frond::testing::random_dense<S>(this->kOrder, 2, 5);
  DenseMatrix<S> x(this->kOrder, 2);
  const Operation mine = is_led_here() ? Operation::transposed : Operation::plain;
  EXPECT_EQ(factorization->solve(b, x, mine).verdict, Verdict::solved);
  EXPECT_LE(frond::testing::dense_backward_error(frond::testing::dense(this->matrix_, Operation::transposed), x, b),
            kAccuracyTarget<S>);
  const InverseEntries<S> entries =
      factorization->calls().inverse_diagonal(is_led_here() ? InverseAccuracy::refined : InverseAccuracy::direct);
  EXPECT_TRUE(entries.is_refined);
}

// Rows that no rank gives are zero; empty requests are allowed.
TYPED_TEST(RowsOnStage, MayBeNobodys) {
  using S = TypeParam;
  StageOptions options;
  options.solver.analysis.schur_variables = {1, 2};
  const auto factorization = factorize<S>(this->matrix_, options);
  const std::vector<Index> kept = {2, 1};
  DenseMatrix<S> some(2, 3);
  some(0, 0) = S(1);
  factorization->calls().condense_rows({}, {kept, view_of(some)});
  EXPECT_EQ(some.values, std::vector<S>(6));
  some(0, 0) = S(1);
  (void)factorization->calls().solve_rows({}, {kept, view_of(some)});
  EXPECT_EQ(some.values, std::vector<S>(6));
  factorization->calls().expand_rows({}, {kept, view_of(std::as_const(some))}, {});
  EXPECT_EQ(factorization->calls().solve_rows({}, {}).columns.size(), 0U);
}

// Invalid rows are refused on whichever rank they are.
TYPED_TEST(RowsOnStage, ThatCannotBeAreRefused) {
  using S = TypeParam;
  StageOptions options;
  options.solver.analysis.schur_variables = {1, 2};
  const auto factorization = factorize<S>(this->matrix_, options);
  const std::vector<Index> good = {1};
  const std::vector<Index> beyond = {this->kOrder};
  const std::vector<Index> not_kept = {5};
  DenseMatrix<S> one(1, 1);
  DenseMatrix<S> two(1, 2);
  const DenseRows<const S> b{good, view_of(std::as_const(one))};
  const DenseRows<S> x{good, view_of(one)};
  EXPECT_THROW((void)factorization->calls().solve_rows({beyond, view_of(std::as_const(one))}, x), UsageError);
  EXPECT_THROW((void)factorization->calls().solve_rows(b, {beyond, view_of(one)}), UsageError);
  EXPECT_THROW((void)factorization->calls().solve_rows(b, {good, view_of(two)}), UsageError);
  EXPECT_THROW(factorization->calls().condense_rows(b, {good, view_of(two)}), UsageError);
  EXPECT_THROW(factorization->calls().condense_rows({good, view_of(std::as_const(two))}, x), UsageError);
  EXPECT_THROW(factorization->calls().condense_rows(b, {not_kept, view_of(one)}), UsageError);
  EXPECT_THROW(factorization->calls().expand_rows(b, {not_kept, view_of(std::as_const(one))}, x), UsageError);
  EXPECT_THROW(factorization->calls().expand_rows(b, {good, view_of(std::as_const(two))}, x), UsageError);
}

}  // namespace
}  // namespace frond::stages
