// SPDX-License-Identifier: BSD-3-Clause
// Tests rows given and requested by any rank, of Schur complements as well, and matrices given as triplets.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "solver/numerics/problem/report.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/owned_sides.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::stages {
namespace {

using frond::testing::Flavour;
using frond::testing::OwnedSides;

// Checks that the UsageError of `work` is the same on all ranks and names `origin`.
void expect_refusal(Rank origin, const std::function<void()>& work) {
  const std::string text = testing::complaint_of<UsageError>([&] { work(); });
  EXPECT_EQ(text.rfind(is_one_process() ? "" : "rank " + std::to_string(origin), 0), text.empty() ? 1U : 0U) << text;
  std::string of_leader = text;
  share_list(team(), of_leader);
  EXPECT_EQ(text, of_leader);
}

template <class S>
class RowsOnStage : public ::testing::Test {
 protected:
  static constexpr Index kOrder = 90;
  static constexpr double kEps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

  RowsOnStage() : matrix_(frond::testing::random_matrix<S>(kOrder, 4, Symmetry::general, Flavour::dominant, 3)) {
    share_value(team(), seed_);
    random_.seed(seed_);
  }

  // Returns this rank's rows, which differ between ranks, some split in two halves; all ranks draw the same right-hand sides.
  [[nodiscard]] OwnedSides<S> mine(DenseMatrix<S>& b) {
    return frond::testing::scattered_sides(b, static_cast<Rank>(team().size()), random_)[team_rank()];
  }
  [[nodiscard]] static std::size_t team_rank() { return static_cast<std::size_t>(stages::rank()); }

  [[nodiscard]] std::string trace() const { return "seed " + std::to_string(seed_); }

  // Checks that both forms of the call give the same numbers.
  void expect_rows_of_the_answer(const StagedFactorization<S>& factorization, Index order, Operation operation, Index num_columns) {
    DenseMatrix<S> b = frond::testing::random_dense<S>(order, num_columns, random_());
    OwnedSides<S> mine = this->mine(b);
    DenseMatrix<S> x(order, num_columns);
    const SolveReport expected = factorization.solve(b, x, operation);
    EXPECT_EQ(expected.verdict, Verdict::solved) << expected.describe();
    const SolveReport report = factorization.calls().solve_rows(mine.view().b, mine.view().x, operation);
    EXPECT_EQ(mine.x.values, mine.rows_asked_for(x).values);
    EXPECT_EQ(report.verdict, expected.verdict);
    ASSERT_EQ(report.columns.size(), expected.columns.size());
    for (std::size_t j = 0; j < report.columns.size(); ++j) {
      EXPECT_EQ(report.columns[j].normwise_backward_error, expected.columns[j].normwise_backward_error);
    }
  }

  // Checks the rows asked for against the whole solution.
  static void expect_rows(const OwnedSides<S>& mine, const DenseMatrix<S>& whole, double tolerance) {
    const DenseMatrix<S> expected = mine.rows_asked_for(whole);
    ASSERT_EQ(mine.x.values.size(), expected.values.size());
    for (std::size_t k = 0; k < expected.values.size(); ++k) {
      EXPECT_LE(std::abs(mine.x.values[k] - expected.values[k]), tolerance);
    }
  }

  SparseMatrix<S> matrix_;
  std::uint32_t seed_ = std::random_device{}();
  std::mt19937 random_;  // the same on all ranks
};
TYPED_TEST_SUITE(RowsOnStage, test::Scalars);

TYPED_TEST(RowsOnStage, AreThoseOfTheWholeAnswer) {
  using S = TypeParam;
  SCOPED_TRACE(this->trace());
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const SparseMatrix<S> matrix = frond::testing::random_matrix<S>(80, 4, symmetry, Flavour::dominant, 11);
    for (const bool is_transposed : {false, true}) {
      const auto factorization = factorize(SystemMatrix<S>(matrix.view(), is_transposed), {});
      for (const Operation operation : test::kOperations) {
        this->expect_rows_of_the_answer(*factorization, 80, operation, 3);
      }
      this->expect_rows_of_the_answer(*factorization, 80, Operation::plain, 70);  // more than one block
      this->expect_rows_of_the_answer(*factorization, 80, Operation::plain, 0);
    }
  }
  for (const Index order : {0, 1, 2}) {
    const auto matrix = frond::testing::random_matrix<S>(order, 1, Symmetry::general, Flavour::dominant, 3);
    this->expect_rows_of_the_answer(*factorize<S>(matrix, {}), order, Operation::plain, 2);
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

// The matrix has other values than the analysed one, given entry by entry, each on some rank.
TYPED_TEST(RowsOnStage, MatricesComeAsTriplets) {
  using S = TypeParam;
  const Analysis analysis = analyze(led(SystemMatrix<S>(this->matrix_)), options_here({}), place());
  Triplets<S> mine{.num_rows = this->kOrder, .num_cols = this->kOrder};
  SparseMatrix<S> other = this->matrix_;
  std::size_t turn = 0;
  frond::testing::for_each_entry(other, [&](Index i, Index j, S& value) {
    if (turn++ % static_cast<std::size_t>(team().size()) == this->team_rank()) {
      mine.add(i, j, value);
      mine.add(i, j, value);
    }
    value *= S(2);
  });
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

// Invalid rows are refused on all ranks, with the same words, on whichever they are.
TYPED_TEST(RowsOnStage, ThatCannotBeAreRefused) {
  using S = TypeParam;
  StageOptions options;
  options.solver.analysis.schur_variables = {1, 2};
  const auto factorization = factorize<S>(this->matrix_, options);
  const std::vector<Index> good = {1};
  const std::vector<Index> beyond = {is_last_here() ? this->kOrder : 1};
  const std::vector<Index> before = {is_last_here() ? -1 : 1};
  const std::vector<Index> not_kept = {is_last_here() ? 5 : 1};
  DenseMatrix<S> one(1, 1);
  DenseMatrix<S> two(1, 2);
  DenseMatrix<S> nan(1, 1);
  nan(0, 0) = is_last_here() ? std::numeric_limits<RealOf<S>>::quiet_NaN() : RealOf<S>(1);
  const std::vector<Index> both = {1, 2};
  DenseMatrix<S> four(2, 2);
  const DenseView<const S> short_columns{four.values.data(), 2, 2, is_last_here() ? 1 : 2};
  const DenseRows<const S> b{good, view_of(std::as_const(one))};
  const DenseRows<S> x{good, view_of(one)};
  const auto& calls = factorization->calls();
  const Rank last = static_cast<Rank>(team().size()) - 1;
  expect_refusal(last, [&] { (void)calls.solve_rows({beyond, view_of(std::as_const(one))}, x); });
  expect_refusal(last, [&] { (void)calls.solve_rows({before, view_of(std::as_const(one))}, x); });
  expect_refusal(last, [&] { (void)calls.solve_rows(b, {beyond, view_of(one)}); });
  expect_refusal(0, [&] { (void)calls.solve_rows(b, {good, view_of(two)}); });
  expect_refusal(last, [&] { (void)calls.solve_rows({good, view_of(std::as_const(nan))}, x); });
  expect_refusal(last, [&] { (void)calls.solve_rows({both, short_columns}, {both, view_of(four)}); });
  if (last > 0) {
    expect_refusal(last, [&] {
      (void)calls.solve_rows({good, view_of(std::as_const(is_last_here() ? two : one))},
                             {good, view_of(is_last_here() ? two : one)});
    });
  }
  EXPECT_THROW(calls.condense_rows(b, {good, view_of(two)}), UsageError);
  EXPECT_THROW(calls.condense_rows({good, view_of(std::as_const(two))}, x), UsageError);
  EXPECT_THROW(calls.condense_rows(b, {not_kept, view_of(one)}), UsageError);
  EXPECT_THROW(calls.expand_rows(b, {not_kept, view_of(std::as_const(one))}, x), UsageError);
  EXPECT_THROW(calls.expand_rows(b, {good, view_of(std::as_const(two))}, x), UsageError);
  DenseMatrix<S> whole(this->kOrder, 1);
  expect_refusal(0, [&] { (void)calls.solve(view_of(std::as_const(one)), view_of(whole)); });
  DenseMatrix<S> infinite(this->kOrder, 1);
  infinite(3, 0) = std::numeric_limits<RealOf<S>>::infinity();
  expect_refusal(0, [&] { (void)calls.solve(view_of(std::as_const(infinite)), view_of(whole)); });
  EXPECT_EQ(calls.solve_rows(b, x).verdict, Verdict::solved);  // nothing is out of step
}

TYPED_TEST(RowsOnStage, AddUpOverTheRanks) {
  using S = TypeParam;
  const auto factorization = factorize<S>(this->matrix_, {});
  const std::vector<Index> rows = {5, 6, 5};
  DenseMatrix<S> b(3, 1);
  b.values = {S(1), S(2), S(3)};
  DenseMatrix<S> x(3, 1);
  ASSERT_EQ(factorization->calls().solve_rows({rows, view_of(std::as_const(b))}, {rows, view_of(x)}).verdict, Verdict::solved);
  DenseMatrix<S> sum(this->kOrder, 1);
  sum(5, 0) = S(static_cast<RealOf<S>>(4 * team().size()));
  sum(6, 0) = S(static_cast<RealOf<S>>(2 * team().size()));
  DenseMatrix<S> whole(this->kOrder, 1);
  (void)factorization->solve(sum, whole);
  EXPECT_EQ(x.values, (std::vector<S>{whole(5, 0), whole(6, 0), whole(5, 0)}));
}

TYPED_TEST(RowsOnStage, AreNaNWithoutFactors) {
  using S = TypeParam;
  StageOptions options;
  options.solver.method = Method::cholesky;
  const auto matrix = compress(Triplets<S>{2, 2, Symmetry::hermitian, {0, 1, 1}, {0, 0, 1}, {S(1), S(3), S(1)}});
  const std::vector<Index> rows = {1};
  DenseMatrix<S> x(1, 1);
  const SolveReport report =
      factorize<S>(matrix, options)->calls().solve_rows({rows, view_of(std::as_const(x))}, {rows, view_of(x)});
  EXPECT_EQ(report.verdict, Verdict::not_positive_definite);
  EXPECT_EQ(report.null_pivots, std::vector<Index>{1});
  EXPECT_TRUE(std::isnan(std::real(x(0, 0))));
}

}  // namespace
}  // namespace frond::stages
