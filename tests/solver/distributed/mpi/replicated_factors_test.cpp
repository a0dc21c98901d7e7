// SPDX-License-Identifier: BSD-3-Clause
// Tests factors replicated on every rank, which solve blocks of columns: each block must get the answer of one process.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "frond/mpi.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/replicated_factors.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "tests/solver/distributed/mpi/on_ranks.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/observers.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

using testing::Flavour;

class ReplicatedFactors : public testing::OnRanks {
 protected:
  template <class S>
  [[nodiscard]] Factorization<S> factorize(const SparseMatrix<S>& matrix, const SolverOptions& options) const {
    return Factorization<S>(is_first() ? SystemMatrix<S>(matrix) : SystemMatrix<S>(), options, place_);
  }

  // Lets wrong factors show: nothing is refined.
  [[nodiscard]] SolverOptions spreading(bool has_grid) const {
    return has_grid ? testing::spread_with_grid(ranks_) : testing::spread();
  }

  template <class S>
  struct Solved {
    SolveReport report;
    DenseMatrix<S> x;
  };

  // Returns X on the first rank.
  template <class S>
  [[nodiscard]] Solved<S> solve_in_blocks(const Factorization<S>& copies, const DenseMatrix<S>& b, Operation operation) const {
    Solved<S> solved{{}, DenseMatrix<S>(b.num_rows, b.num_cols)};
    solved.report = is_first() ? frond::solve_in_blocks<S>(place_, copies, view_of(b), view_of(solved.x), operation)
                               : frond::solve_in_blocks<S>(place_, copies, {}, {}, Operation::plain);
    return solved;
  }

  // Solves the same blocks in one process, with the factors from a file.
  template <class S>
  [[nodiscard]] DenseMatrix<S> solved_by_one(const SparseMatrix<S>& matrix, const SolverOptions& options, const DenseMatrix<S>& b,
                                             Operation operation) const {
    DenseMatrix<S> x(b.num_rows, b.num_cols);
    const auto loaded = Factorization<S>::load(folder_.path("factors"), matrix, options);
    const ColumnBlocks blocks(b.num_cols, place_.num_ranks());
    for (Count k = 0; k < blocks.num_blocks; ++k) {
      (void)loaded.solve(view_of(b).columns(blocks.begin(k), blocks.end(k)), view_of(x).columns(blocks.begin(k), blocks.end(k)),
                         operation);
    }
    return x;
  }

  template <class S>
  void expect_answers(const SparseMatrix<S>& matrix, SolverOptions options, const std::vector<Index>& numbers_of_columns) const {
    const Factorization<S> factorization = factorize(matrix, options);
    factorization.save(is_first() ? folder_.path("factors") : std::string());
    const Factorization<S> copies = replicate_factors(factorization);
    options.method.reset();
    for (const Index num_columns : numbers_of_columns) {
      for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
        SCOPED_TRACE(std::to_string(num_columns) + " columns, operation " + std::to_string(static_cast<int>(operation)));
        const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, num_columns, 7);
        const Solved<S> solved = solve_in_blocks(copies, b, operation);
        DenseMatrix<S> together(b.num_rows, b.num_cols);
        const SolveReport report = factorization.solve(view_of(b), view_of(together), operation);
        expect_same_report(solved.report, report);
        if (is_first()) {
          EXPECT_EQ(solved.x.values, solved_by_one(matrix, options, b, operation).values);
          EXPECT_LE(testing::dense_backward_error(testing::dense(matrix, operation), solved.x, b), kAccuracyTarget<S>);
          EXPECT_LE(testing::largest_relative_difference(together, solved.x), 1e4 * std::numeric_limits<RealOf<S>>::epsilon());
        }
      }
    }
  }

  static void expect_same_report(const SolveReport& blocks, const SolveReport& together) {
    EXPECT_EQ(blocks.verdict, together.verdict) << blocks.describe() << "; " << together.describe();
    EXPECT_EQ(blocks.columns.size(), together.columns.size());
    EXPECT_EQ(blocks.target, together.target);
    EXPECT_EQ(blocks.epsilon, together.epsilon);
    EXPECT_EQ(blocks.order, together.order);
    EXPECT_EQ(blocks.notes, together.notes);
    EXPECT_EQ(blocks.null_pivots, together.null_pivots);
    EXPECT_EQ(blocks.rank.status, together.rank.status);
    EXPECT_EQ(blocks.rank.lowest, together.rank.lowest);
    EXPECT_EQ(blocks.rank.highest, together.rank.highest);
  }

  testing::ScratchFolder folder_;  // the first rank's folder is used
};

template <class S>
class ReplicatedFactorsOf : public ReplicatedFactors {};
TYPED_TEST_SUITE(ReplicatedFactorsOf, test::Scalars);

TYPED_TEST(ReplicatedFactorsOf, SolveAsOneProcessDoes) {
  using S = TypeParam;
  const Symmetry hermitian = kIsComplex<S> ? Symmetry::hermitian : Symmetry::symmetric;
  for (const bool has_grid : {false, true}) {
    const SolverOptions options = this->spreading(has_grid);
    this->expect_answers(testing::random_matrix<S>(70, 3, hermitian, Flavour::dominant, 11), options, {0, 1, 2, 3, 70, 200});
    this->expect_answers(testing::random_matrix<S>(70, 3, hermitian, Flavour::zero_diagonal, 11), options, {2, 5});
    this->expect_answers(testing::random_matrix<S>(70, 3, Symmetry::symmetric, Flavour::zero_diagonal, 11), options, {2, 5});
    this->expect_answers(testing::random_matrix<S>(70, 3, Symmetry::general, Flavour::zero_diagonal, 11), options, {2, 5});
  }
}

TEST_F(ReplicatedFactors, SolveLargerSystemsByAllMethods) {
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    SolverOptions options = spreading(true);
    options.method = method;
    expect_answers(testing::laplacian<double>(9), options, {1, 9});
  }
}

TEST_F(ReplicatedFactors, AreRefinedAndHaveBoundsOfTheFirstColumn) {
  SolverOptions options = testing::spread();
  options.error_bounds = ErrorBounds::first_column;
  const auto matrix = testing::random_matrix<double>(300, 3, Symmetry::general, Flavour::zero_diagonal, 9);
  const Factorization<double> copies = replicate_factors(factorize(matrix, options));
  const DenseMatrix<double> b = testing::random_dense<double>(300, 10, 3);
  const Solved<double> solved = solve_in_blocks(copies, b, Operation::plain);
  EXPECT_EQ(solved.report.verdict, Verdict::solved);
  EXPECT_GT(solved.report.condition, 1);
  ASSERT_EQ(solved.report.columns.size(), 10U);
  EXPECT_FALSE(std::isnan(solved.report.columns.front().forward_error_bound));
  EXPECT_TRUE(std::isnan(solved.report.columns.back().forward_error_bound));
}

TEST_F(ReplicatedFactors, OutliveTheFactorizationAndSolveOneByOne) {
  const auto matrix = testing::laplacian<double>(6);
  const auto copies = [&] {
    const auto passing = testing::laplacian<double>(6);
    return replicate_factors(factorize(passing, testing::spread()));
  }();
  const DenseMatrix<double> b = testing::random_dense<double>(matrix.num_rows, 1, 5 + static_cast<std::uint64_t>(place_.rank()));
  DenseMatrix<double> x(b.num_rows, 1);
  EXPECT_EQ(copies.solve(view_of(b), view_of(x)).verdict, Verdict::solved) << "each rank by itself";
  EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), x, b), kAccuracyTarget<double>);
}

TEST_F(ReplicatedFactors, OfSingularMatricesComeToTheSameVerdict) {
  const SparseMatrix<double> matrix = expand_to_general(testing::singular_laplacian(4).view());
  const Factorization<double> factorization = factorize(matrix, testing::spread());
  const DenseMatrix<double> b = testing::random_dense<double>(64, 5, 3);
  const Solved<double> solved = solve_in_blocks(replicate_factors(factorization), b, Operation::plain);
  DenseMatrix<double> together(64, 5);
  const SolveReport report = factorization.solve(view_of(b), view_of(together));
  EXPECT_EQ(report.verdict, Verdict::singular);
  expect_same_report(solved.report, report);
  EXPECT_EQ(solved.report.num_met(), report.num_met());
}

TEST_F(ReplicatedFactors, OfNothingGiveNoSolution) {
  const SparseMatrix<double> indefinite{2, 2, Symmetry::symmetric, {0, 1, 2}, {0, 1}, {1.0, -1.0}};
  SolverOptions options;
  options.method = Method::cholesky;
  const Factorization<double> copies = replicate_factors(factorize(indefinite, options));
  const Solved<double> solved = solve_in_blocks(copies, DenseMatrix<double>(2, 3), Operation::plain);
  EXPECT_EQ(solved.report.verdict, Verdict::not_positive_definite);
  if (is_first()) {
    EXPECT_TRUE(std::all_of(solved.x.values.begin(), solved.x.values.end(), [](double value) { return std::isnan(value); }));
  }
  expect_answers(SparseMatrix<double>{1, 1, Symmetry::general, {0, 1}, {0}, {2.0}}, spreading(false), {0, 1, 9});
}

TEST_F(ReplicatedFactors, OfBlockTriangularFormsSolveLevelByLevel) {
  Triplets<double> entries{.num_rows = 90, .num_cols = 90, .symmetry = Symmetry::general};
  for (Index i = 0; i < 90; ++i) {  // three chains, each coupled to the previous one
    entries.add(i, i, 4);
    if (i % 30 != 0) {
      entries.add(i, i - 1, 1);
      entries.add(i - 1, i, -1);
    }
    if (i >= 30) {
      entries.add(i - 30, i, 2);
    }
  }
  SolverOptions options = spreading(false);
  options.analysis.block_triangular = Use::always;
  expect_answers(compress(std::move(entries)), options, {1, 6});
}

TEST_F(ReplicatedFactors, MayBeOfLowerPrecision) {
  const auto matrix = testing::laplacian<double>(6);
  for (const bool is_refined : {true, false}) {
    SolverOptions options = testing::spread();
    options.mixed_precision = true;
    if (!is_refined) {
      options.refinement = {.max_steps = 0, .max_krylov_steps = 0};
    }
    const Factorization<double> copies = replicate_factors(factorize(matrix, options));
    EXPECT_TRUE(copies.report().is_mixed);
    const DenseMatrix<double> b = testing::random_dense<double>(matrix.num_rows, 7, 3);
    const Solved<double> solved = solve_in_blocks(copies, b, Operation::plain);
    EXPECT_EQ(solved.report.verdict, Verdict::solved) << solved.report.describe();
    EXPECT_EQ(solved.report.notes.empty(), is_refined) << "otherwise ranks have factorized in full precision";
    if (is_first()) {
      EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), solved.x, b), kAccuracyTarget<double>);
    }
  }
}

TEST_F(ReplicatedFactors, AreRefusedOnAllRanksWhereOneHasNoRoom) {
  const auto matrix = testing::laplacian<double>(9);
  SolverOptions options = testing::spread();
  const Factorization<double> unlimited = factorize(matrix, options);
  unlimited.save(folder_.path("factors"));
  const Count all = replicate_factors(unlimited).report().factorization.factor_bytes;
  EXPECT_GE(all, unlimited.report().factorization.factor_bytes / 2);
  // Loaded factors are distributed as they were saved; another factorization may give the last rank a smaller part, which fits.
  options.factorization.memory_limit = is_last() ? all : Count{1} << 30;
  const auto limited = Factorization<double>::load(folder_.path("factors"), matrix, options, place_);
  const auto error = testing::error_of<MemoryError>([&] { (void)replicate_factors(limited); });
  const std::string text = error.what();
  EXPECT_NE(text.find("copies of all factors take " + std::to_string(all) + " bytes"), std::string::npos) << text;
  EXPECT_NE(text.find("raise the memory limit"), std::string::npos) << text;
  const DenseMatrix<double> b = testing::random_dense<double>(matrix.num_rows, 2, 3);
  DenseMatrix<double> x(b.num_rows, 2);
  EXPECT_EQ(limited.solve(view_of(b), view_of(x)).verdict, Verdict::solved) << "together they still can";
}

TEST_F(ReplicatedFactors, StopOnAllRanksWhereOneIsAskedTo) {
  const auto matrix = testing::laplacian<double>(6);
  const auto stop = std::make_shared<testing::StopAt>();
  SolverOptions options = testing::spread();
  options.observer = stop;
  const Factorization<double> factorization = factorize(matrix, options);
  const Factorization<double> copies = replicate_factors(factorization);
  const DenseMatrix<double> b = testing::random_dense<double>(matrix.num_rows, 50, 3);
  stop->begin(is_last() ? 1 : 0);
  EXPECT_THROW((void)solve_in_blocks(copies, b, Operation::plain), StoppedError);
  EXPECT_THROW((void)replicate_factors(factorization), StoppedError);
  (void)all_gather(ranks_, {});
  stop->begin(0);
  EXPECT_EQ(solve_in_blocks(copies, b, Operation::plain).report.verdict, Verdict::solved);
}

TEST_F(ReplicatedFactors, RefuseWhatTheyCannotDoOnAllRanks) {
  const auto matrix = testing::laplacian<double>(4);
  SolverOptions options = testing::spread();
  const Factorization<double> factorization = factorize(matrix, options);
  const Factorization<double> copies = replicate_factors(factorization);
  DenseMatrix<double> b(matrix.num_rows, 3);
  EXPECT_THROW((void)replicate_factors(copies), UsageError) << "those of one process";
  EXPECT_THROW((void)solve_in_blocks(factorization, b, Operation::plain), UsageError) << "no copies";
  EXPECT_THROW((void)solve_in_blocks(copies, DenseMatrix<double>(5, 3), Operation::plain), UsageError);
  b.values[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)solve_in_blocks(copies, b, Operation::plain), UsageError);
  options.factorization.kept = KeptFactors::none;
  EXPECT_THROW((void)replicate_factors(factorize(matrix, options)), UsageError);
  options.factorization.kept = KeptFactors::all;
  options.analysis.schur_variables = {3, 5};
  EXPECT_THROW((void)replicate_factors(factorize(matrix, options)), UsageError);
}

TEST(ColumnBlocks, GiveEachRankAsMany) {
  const auto widths = [](Index columns, Rank ranks) {
    const ColumnBlocks blocks(columns, ranks);
    std::vector<Index> all;
    for (Count k = 0; k < blocks.num_blocks; ++k) {
      all.push_back(blocks.end(k) - blocks.begin(k));
    }
    return all;
  };
  EXPECT_EQ(widths(0, 3), (std::vector<Index>{0}));
  EXPECT_EQ(widths(2, 3), (std::vector<Index>{1, 1}));
  EXPECT_EQ(widths(64, 2), (std::vector<Index>{32, 32}));
  EXPECT_EQ(widths(65, 1), (std::vector<Index>{32, 33}));
  EXPECT_EQ(widths(200, 3), (std::vector<Index>{33, 33, 34, 33, 33, 34}));
}

}  // namespace
}  // namespace frond
