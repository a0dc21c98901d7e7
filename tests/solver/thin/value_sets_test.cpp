// SPDX-License-Identifier: BSD-3-Clause
// Gives patterns sets of values, one after the other, without fronts: each is judged as with fronts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "frond/batch.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "solver/thin/thin_analysis.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/thin_options.hpp"

namespace frond {
namespace {

using Random = std::mt19937_64;

Index below(Index end, Random& random) { return static_cast<Index>(random() % static_cast<std::uint64_t>(end)); }

// Chains, strips, trees and random positions, with their diagonals.
SparseMatrix<double> random_pattern(Random& random) {
  const Index order = 8 + below(80, random);
  const Index kind = below(4, random);
  const bool is_symmetric = random() % 2 == 0;
  Triplets<double> entries{order, order, is_symmetric ? Symmetry::symmetric : Symmetry::general};
  const auto connect = [&](Index i, Index j) {
    entries.add(std::max(i, j), std::min(i, j), 1);
    if (!is_symmetric) {
      entries.add(std::min(i, j), std::max(i, j), 1);
    }
  };
  for (Index j = 0; j < order; ++j) {
    entries.add(j, j, 1);
    if (j > 0) {
      connect(j, kind == 0 ? j - 1 : kind == 1 ? std::max(j - 7, 0) : kind == 2 ? below(j, random) : j - 1);
      if (kind == 3) {
        connect(j, below(j, random));
      }
    }
  }
  return compress(std::move(entries));
}

enum class Values { dominant, scaled, integers, tiny_diagonal, one_column_of_zeros };

std::vector<double> random_values(const SparseMatrix<double>& matrix, Values kind, Random& random) {
  const bool is_symmetric = matrix.symmetry != Symmetry::general;
  const Index empty = kind == Values::one_column_of_zeros ? below(matrix.num_cols, random) : -1;
  std::vector<int> row_scales(static_cast<std::size_t>(matrix.num_rows));
  std::vector<int> column_scales(row_scales.size());
  for (std::size_t k = 0; kind == Values::scaled && k < row_scales.size(); ++k) {
    row_scales[k] = static_cast<int>(below(61, random)) - 30;
    column_scales[k] = is_symmetric ? row_scales[k] : static_cast<int>(below(61, random)) - 30;
  }
  std::vector<double> values;
  std::uniform_real_distribution<double> number(-1, 1);
  testing::for_each_entry(matrix, [&](Index i, Index j, double /*value*/) {
    const bool is_diagonal = i == j;
    double value = kind == Values::integers ? static_cast<double>(below(7, random)) - 3 : number(random);
    value += is_diagonal && kind != Values::tiny_diagonal ? 4 : 0;
    value *= is_diagonal && kind == Values::tiny_diagonal ? 1e-9 : 1;
    const bool is_empty = j == empty || (is_symmetric && i == empty);
    values.push_back(is_empty ? 0 : std::ldexp(value, row_scales[i] + column_scales[j]));
  });
  return values;
}

TEST(ThinValueSets, AreJudgedAsWithFronts) {
  int num_thin = 0;
  int num_singular = 0;
  int num_with_kept_scales = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random(seed);
    SparseMatrix<double> matrix = random_pattern(random);
    matrix.values = random_values(matrix, Values::dominant, random);
    const std::vector<double> first = matrix.values;
    Factorization<double> thin(matrix, testing::with_thin(Use::always));
    Factorization<double> fronts(matrix, testing::with_thin(Use::never));
    for (int set = 0; set < 12; ++set) {
      const auto kind = static_cast<Values>(random() % 5);
      SparseMatrix<double> next = matrix;
      next.values = random_values(matrix, kind, random);
      thin.refactorize(next.values);
      fronts.refactorize(next.values);
      const DenseMatrix<double> b = testing::random_dense<double>(matrix.num_rows, 1, random());
      DenseMatrix<double> x(matrix.num_rows, 1);
      DenseMatrix<double> y(matrix.num_rows, 1);
      const SolveReport report = thin.solve(view_of(b), view_of(x));
      EXPECT_EQ(report.verdict, fronts.solve(view_of(b), view_of(y)).verdict) << report.describe();
      const Factorization<double> anew(next, testing::with_thin(Use::never));
      EXPECT_EQ(fronts.report().rank.lowest, anew.report().rank.lowest) << report.describe();
      EXPECT_EQ(fronts.report().rank.highest, anew.report().rank.highest) << report.describe();
      num_with_kept_scales += kind != Values::scaled && fronts.report().equilibration_sweeps == 0 ? 1 : 0;
      if (report.verdict == Verdict::solved && report.worst().num_negligible_equations == 0) {
        EXPECT_LE(testing::dense_componentwise_error(testing::dense(next), x, b), 1e-14) << report.describe();
      }
      num_thin += thin.analysis().thin() && thin.report().num_kept_pivots > 0 ? 1 : 0;
      num_singular += report.verdict == Verdict::singular ? 1 : 0;
    }
  }
  EXPECT_GT(num_thin, 100);
  EXPECT_GT(num_singular, 50);
  EXPECT_GT(num_with_kept_scales, 100);
}

// Systems of a batch, most of them in lanes, get the verdicts that they get alone, whatever is in other lanes.
TEST(ThinValueSets, AreSolvedInBatchesAsAlone) {
  std::map<Verdict, int> num_of;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random(seed);
    SparseMatrix<double> first = random_pattern(random);
    first.values = random_values(first, Values::dominant, random);
    std::vector<SparseMatrix<double>> systems(30, first);
    for (std::size_t k = 1; k < systems.size(); ++k) {
      systems[k].values = random_values(first, static_cast<Values>(random() % 9 < 5 ? 0 : random() % 5), random);
    }
    const auto num_systems = static_cast<Index>(systems.size());
    const Batch batch({.solver = testing::with_thin(Use::always), .num_workers = 2, .has_one_pattern = true});
    const DenseMatrix<double> b = testing::random_dense<double>(first.num_rows, num_systems, random());
    DenseMatrix<double> x(first.num_rows, num_systems);
    const auto solve = [&] {
      return batch.solve_all<double>(
          num_systems, [&](Count k) { return SystemMatrix<double>(systems[k]); }, view_of(b), view_of(x));
    };
    const std::vector<SolveReport> reports = solve();
    for (Index k = 0; k < num_systems; ++k) {
      const auto column = [k](const DenseMatrix<double>& whole) {
        DenseMatrix<double> one(whole.num_rows, 1);
        std::copy_n(whole.values.begin() + static_cast<std::ptrdiff_t>(k) * whole.num_rows, whole.num_rows, one.values.begin());
        return one;
      };
      DenseMatrix<double> alone(first.num_rows, 1);
      const DenseMatrix<double> own = column(b);
      const SolveReport report = batch.solve<double>(systems[k], view_of(own), view_of(alone));
      EXPECT_EQ(reports[k].verdict, report.verdict) << k << report.describe();
      if (report.verdict == Verdict::solved && report.worst().num_negligible_equations == 0) {
        EXPECT_LE(testing::dense_componentwise_error(testing::dense(systems[k]), column(x), own), 1e-14) << k;
      }
      ++num_of[report.verdict];
    }
    const DenseMatrix<double> before = x;
    std::ranges::fill(x.values, 0);
    (void)solve();
    EXPECT_EQ(x.values, before.values);
  }
  EXPECT_GT(num_of[Verdict::solved], 700);
  EXPECT_GT(num_of[Verdict::singular], 20);
}

TEST(ThinValueSets, NamesTheSystemOfABatchThatIsRefused) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(3);
  const SparseMatrix<double> other = testing::laplacian<double>(2);
  const Batch batch({.solver = testing::with_thin(Use::always), .has_one_pattern = true});
  const std::vector<double> b(static_cast<std::size_t>(10 * matrix.num_rows), 1.0);
  std::vector<double> x(b.size());
  const DenseView<const double> sides{b.data(), matrix.num_rows, 10, matrix.num_rows};
  const DenseView<double> solutions{x.data(), matrix.num_rows, 10, matrix.num_rows};
  const auto system = [&](Count k) { return SystemMatrix<double>(k == 6 ? other : matrix); };
  try {
    (void)batch.solve_all<double>(10, system, sides, solutions);
    ADD_FAILURE();
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 10), "system 6: ");
  }
  EXPECT_THROW((void)batch.solve_all<double>(3, system, sides, solutions), UsageError);
  EXPECT_THROW((void)Batch().solve_all<double>(10, system, sides, solutions), UsageError);
  EXPECT_TRUE(batch.solve_all<double>(0, system, sides, solutions).empty());
}

// Scales that were found for singular values must not be mixed with pivots of those before.
TEST(ThinValueSets, FactorizesTheFirstValuesAfterSingularOnes) {
  Triplets<double> entries{2, 2, Symmetry::general};
  entries.add(0, 0, 4);
  entries.add(0, 1, 1);
  entries.add(1, 0, 3);
  entries.add(1, 1, 2);
  const SparseMatrix<double> matrix = compress(std::move(entries));
  for (const bool measures : {true, false}) {
    SolverOptions options = testing::with_thin(Use::always);
    options.refinement.measures = measures;
    Factorization<double> thin(matrix, options);
    const std::vector<double> singular = {64, 48, 0, 0};
    thin.refactorize(singular);
    EXPECT_EQ(thin.report().factorization.status, FactorizationStatus::singular);
    thin.refactorize(matrix.values);
    ASSERT_TRUE(thin.analysis().thin());
    EXPECT_NEAR(thin.report().factorization.determinant.log2_modulus(), std::log2(5.0), 1e-12);
    const std::vector<double> b = {1, 0};
    std::vector<double> x(2);
    (void)thin.solve(b, x);
    EXPECT_NEAR(x[0], 0.4, 1e-15);
    EXPECT_NEAR(x[1], -0.6, 1e-15);
  }
}

// Each step of this elimination doubles the last column (Wilkinson).
TEST(ThinValueSets, IsMeasuredWhereEntriesHaveGrown) {
  constexpr Index kOrder = 60;
  Triplets<double> entries{kOrder, kOrder, Symmetry::general};
  for (Index j = 0; j < kOrder; ++j) {
    for (Index i = j; i < kOrder; ++i) {
      entries.add(i, j, i == j ? 1 : -1);
    }
    if (j + 1 < kOrder) {
      entries.add(j, kOrder - 1, 1);
    }
  }
  const SparseMatrix<double> matrix = compress(std::move(entries));
  const DenseMatrix<double> b = testing::random_dense<double>(kOrder, 1, 2);
  SolverOptions options = testing::with_thin(Use::always);
  options.refinement.measures = false;
  const Factorization<double> factorization(matrix, options);
  EXPECT_GT(factorization.report().factorization.pivot_growth, 1e16);
  DenseMatrix<double> x(kOrder, 1);
  EXPECT_EQ(factorization.solve(view_of(b), view_of(x)).verdict, Verdict::solved);
  EXPECT_LE(testing::dense_componentwise_error(testing::dense(matrix), x, b), 1e-14);
}

}  // namespace
}  // namespace frond
