// SPDX-License-Identifier: BSD-3-Clause
// Tests that factorizations with runaway delays take another way automatically.
#include "solver/numerics/verdict/runaway.hpp"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "frond/solve.hpp"
#include "solver/course/analyze_system.hpp"
#include "tests/support/matrices/sparse_problems.hpp"

namespace frond {
namespace {

// Returns the ways taken when the first `num_failures` run away.
std::vector<FactorizationWay> ways_gone(const FactorizationWay& first, int num_failures, SystemReport& report,
                                        ScalingKind scales = ScalingKind::equilibrate) {
  std::vector<FactorizationWay> ways;
  const DelayLimits limits{
      .dear = {.flops = 20}, .runaway = {.flops = 100}, .lowered_threshold = 1e-6, .fits = [] { return true; }};
  factorize_on_a_way(first, limits, report, [&](const FactorizationWay& way) {
    ways.push_back(way);
    report.scaling = way.scaling == ScalingKind::automatic ? scales : way.scaling;
    if (static_cast<int>(ways.size()) <= num_failures) {
      throw BudgetError("too much", {.flops_done = 99, .num_delayed_pivots = 7});
    }
  });
  return ways;
}

TEST(Runaway, TakesWaysWithFewerDelaysOneAfterTheOther) {
  FactorizationWay first{.method = Method::ldlt};
  first.pivoting.pivot_threshold = 0.5;
  first.pivoting.may_lower_threshold = false;
  SystemReport report;
  EXPECT_EQ(ways_gone(first, 0, report).size(), 1U);
  EXPECT_TRUE(report.notes.empty());
  const std::vector<FactorizationWay> ways = ways_gone(first, 3, report);
  ASSERT_EQ(ways.size(), 4U);
  EXPECT_EQ(ways[0].pivoting.pivot_threshold, 0.5);
  EXPECT_EQ(ways[1].pivoting.pivot_threshold, 0.01);
  EXPECT_EQ(ways[1].scaling, ScalingKind::matching);
  EXPECT_LT(ways[2].pivoting.pivot_threshold, 0.01);
  EXPECT_EQ(ways[3].pivoting.kind, PivotingKind::static_structure);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(ways[k].budget.flops, 100);
  }
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_NE(report.notes[0].find("delayed pivots would have taken"), std::string::npos) << report.notes[0];
  EXPECT_NE(report.notes[0].find("static pivoting"), std::string::npos) << report.notes[0];
  EXPECT_THROW((void)ways_gone(first, 4, report), BudgetError);
}

TEST(Runaway, LowersTheThresholdWhereDelaysAreDear) {
  SystemReport report;
  const std::vector<FactorizationWay> ways = ways_gone({.method = Method::ldlt}, 1, report);
  ASSERT_EQ(ways.size(), 2U);
  EXPECT_EQ(ways[0].budget.flops, 20);
  EXPECT_EQ(ways[1].budget.flops, 100);
  EXPECT_EQ(ways[1].pivoting.pivot_threshold, 1e-6);
  EXPECT_EQ(ways[1].scaling, ScalingKind::automatic);
  EXPECT_EQ(report.notes.size(), 1U);
  EXPECT_EQ(ways_gone({.method = Method::ldlt}, 4, report).size(), 5U) << "then as where it may not be lowered";
  FactorizationWay low{.method = Method::ldlt};
  low.pivoting.pivot_threshold = 1e-8;
  EXPECT_EQ(ways_gone(low, 0, report)[0].budget.flops, 100) << "there is nothing to lower";
}

// The duals of the matching amplify small entries, such as those that the null pivots of a singular matrix leave.
TEST(Runaway, TakesLUsScalesWithoutTheMatchingFirst) {
  SystemReport report;
  const FactorizationWay first{.method = Method::lu};
  const std::vector<FactorizationWay> ways = ways_gone(first, 4, report, ScalingKind::matching);
  ASSERT_EQ(ways.size(), 5U);
  EXPECT_EQ(ways[1].scaling, ScalingKind::equilibrate);
  EXPECT_EQ(ways[1].pivoting.pivot_threshold, first.pivoting.pivot_threshold);
  EXPECT_EQ(ways[1].budget.flops, ways[0].budget.flops);
  EXPECT_EQ(ways[2].scaling, ScalingKind::automatic);
  EXPECT_EQ(ways[2].pivoting.pivot_threshold, 1e-6);
  EXPECT_EQ(ways[3].scaling, ScalingKind::equilibrate);
  EXPECT_EQ(ways[3].pivoting.pivot_threshold, 1e-6);
  EXPECT_EQ(ways[4].scaling, ScalingKind::automatic);
  EXPECT_EQ(ways[4].pivoting.kind, PivotingKind::static_structure);
  EXPECT_EQ(ways_gone({.method = Method::ldlt}, 1, report, ScalingKind::matching)[1].scaling, ScalingKind::automatic);
  const FactorizationWay own{.method = Method::lu, .scaling = ScalingKind::matching};
  for (const FactorizationWay& way : ways_gone(own, 4, report, ScalingKind::matching)) {
    EXPECT_EQ(way.scaling, ScalingKind::matching) << "these are the caller's";
  }
}

// A factorization that would not fit even without delays is not retried, and neither is one that runs out of memory without a
// limit.
TEST(Runaway, TakesAnotherWayWhereDelaysNeedMoreMemoryThanThereIs) {
  for (const Count limit : {0, 1000}) {
    for (const bool fits : {false, true}) {
      std::vector<FactorizationWay> ways;
      SystemReport report;
      const DelayLimits limits{.dear = {}, .runaway = {}, .lowered_threshold = 1e-6, .fits = [fits] { return fits; }};
      const auto run = [&] {
        factorize_on_a_way({.method = Method::ldlt}, limits, report, [&](const FactorizationWay& way) {
          ways.push_back(way);
          if (ways.size() == 1) {
            throw MemoryError("too much", 2000, limit);
          }
        });
      };
      if (limit == 0 || !fits) {
        EXPECT_THROW(run(), MemoryError);
        EXPECT_EQ(ways.size(), 1U);
        continue;
      }
      run();
      ASSERT_EQ(ways.size(), 2U);
      EXPECT_EQ(ways[1].pivoting.pivot_threshold, 1e-6);
      ASSERT_EQ(report.notes.size(), 1U);
      EXPECT_NE(report.notes[0].find("more than 1000 bytes"), std::string::npos) << report.notes[0];
    }
  }
}

TEST(Runaway, KeepsBudgetsThatAreAskedFor) {
  SystemReport report;
  FactorizationWay first{.method = Method::ldlt};
  for (const WorkBudget& budget : {WorkBudget{.flops = 50}, WorkBudget{.bytes = 500}}) {
    first.budget = budget;
    EXPECT_THROW((void)ways_gone(first, 1, report), BudgetError) << "the caller's own budget is passed: it is his to decide";
    EXPECT_EQ(ways_gone(first, 0, report).front().budget.bytes, budget.bytes);
  }
  EXPECT_TRUE(report.notes.empty());
}

TEST(Runaway, IsNothingThatCholeskyAndStaticPivotingDo) {
  SystemReport report;
  EXPECT_EQ(ways_gone({.method = Method::cholesky}, 0, report).front().budget.bytes, 0);
  FactorizationWay is_static{.method = Method::lu};
  is_static.pivoting.kind = PivotingKind::static_structure;
  EXPECT_EQ(ways_gone(is_static, 0, report).front().budget.bytes, 0);
}

// Pivots of about `diagonal` times the largest entries of their columns, which would all be delayed to the last front.
SparseMatrix<double> arrow(Index order, double diagonal) {
  Triplets<double> triplets{.num_rows = order, .num_cols = order, .symmetry = Symmetry::symmetric};
  for (Index i = 0; i + 1 < order; ++i) {
    triplets.add(i, i, diagonal * (1 + i % 7));
    triplets.add(order - 1, i, 1);
    if (i % 3 != 0) {
      triplets.add(i + 1, i, 0.01 * diagonal);
    }
  }
  triplets.add(order - 1, order - 1, 1);
  return compress(std::move(triplets));
}

SolverOptions natural_ldlt() {
  SolverOptions options;
  options.analysis.ordering.kind = OrderingKind::natural;
  options.scaling = ScalingKind::none;
  options.method = Method::ldlt;
  return options;
}

Verdict verdict_on_ones(const Factorization<double>& factorization, const SparseMatrix<double>& matrix) {
  std::vector<double> x(static_cast<std::size_t>(matrix.num_rows));
  std::vector<double> b(x.size());
  multiply<double>(matrix.view(), Operation::plain, std::vector<double>(x.size(), 1), b);
  return factorization.solve(b, x).verdict;
}

TEST(Runaway, LowersTheThresholdByItselfAndSolves) {
  const SparseMatrix<double> matrix = arrow(2400, 1e-4);
  const auto analysis = analyze(matrix, natural_ldlt());
  const Factorization<double> factorization(analysis, matrix);
  const SystemReport& report = factorization.report();
  ASSERT_FALSE(report.notes.empty()) << "delays were not dear: " << report.factorization.flops;
  EXPECT_NE(report.notes[0].find("pivot threshold 1e-06"), std::string::npos) << report.notes[0];
  EXPECT_LT(report.factorization.flops, 2 * analysis.parts().symbolic->estimate(Method::ldlt).front_flops + 1);
  EXPECT_EQ(verdict_on_ones(factorization, matrix), Verdict::solved);
}

// Too small for another way at once, whatever the delays cost.
TEST(Runaway, LowersTheThresholdForOtherValuesWhereDelaysWereDear) {
  const SparseMatrix<double> matrix = arrow(300, 1e-4);
  for (const bool may_lower : {true, false}) {
    SolverOptions options = natural_ldlt();
    options.factorization.thin = Use::never;
    options.factorization.pivoting.may_lower_threshold = may_lower;
    Factorization<double> factorization(analyze(matrix, options), matrix);
    EXPECT_GT(factorization.report().factorization.num_delayed_pivots, 280);
    for (const double diagonal : {1e-3, 1e-5, 1e-4}) {  // scales of others that serve, or none at all
      const SparseMatrix<double> other = arrow(300, diagonal);
      factorization.refactorize(other.values);
      EXPECT_EQ(factorization.report().factorization.num_delayed_pivots == 0, may_lower);
      EXPECT_EQ(factorization.report().factorization.inertia.negative, 1);
      EXPECT_EQ(verdict_on_ones(factorization, other), Verdict::solved);
    }
  }
}

TEST(Runaway, DoesNotLowerTheThresholdForOtherValuesInVain) {
  for (const double flops_if_lowered : {40.0, 60.0}) {
    FoundScales scales;
    EXPECT_FALSE(scales.know_delays());
    for (int round = 0; round < 2; ++round) {
      scales.note_dear_delays(100);
      scales.note_lowered_threshold(flops_if_lowered);
      EXPECT_EQ(scales.have_dear_delays(), flops_if_lowered < 50);
      EXPECT_TRUE(scales.know_delays());
    }
  }
}

// A chain in which no pivot is accepted before the end: it would take thousands of times the predicted flops.
TEST(Runaway, EndsInASolution) {
  for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
    const SparseMatrix<double> matrix = test::runaway_chain(symmetry, 6000);
    SolverOptions options;
    options.analysis.ordering.kind = OrderingKind::natural;
    options.analysis.block_triangular = Use::never;
    options.scaling = ScalingKind::none;
    const auto analysis = analyze(matrix, options);
    const Factorization<double> factorization(analysis, matrix);
    ASSERT_FALSE(factorization.report().notes.empty()) << "it did not run away";
    EXPECT_NE(factorization.report().notes[0].find("delayed pivots would have taken"), std::string::npos)
        << factorization.report().notes[0];
    EXPECT_LT(factorization.report().factorization.flops,
              kRunawayFactor * analysis.parts().symbolic->estimate(factorization.report().method).front_flops + 2e10);
    std::vector<double> x(static_cast<std::size_t>(matrix.num_rows));
    std::vector<double> b(x.size());
    multiply<double>(matrix.view(), Operation::plain, std::vector<double>(x.size(), 1), b);
    EXPECT_EQ(factorization.solve(b, x).verdict, Verdict::solved);
  }
}

// Attempts that have a fallback are stopped as soon as they run away.
TEST(Runaway, EndsAttemptsInLowerPrecisionAndWithHalfOfTheFactors) {
  const SparseMatrix<double> matrix = test::runaway_chain(Symmetry::general, 6000);
  SolverOptions options;
  options.analysis.ordering.kind = OrderingKind::natural;
  options.analysis.block_triangular = Use::never;
  options.detect_symmetry = false;
  options.scaling = ScalingKind::none;
  const auto analysis = analyze(matrix, options);
  std::vector<double> x(static_cast<std::size_t>(matrix.num_rows));
  std::vector<double> b(x.size());
  multiply<double>(matrix.view(), Operation::plain, std::vector<double>(x.size(), 1), b);
  const OnceReport once = solve_once<double>(analysis, matrix, b, std::span(x));
  EXPECT_EQ(once.solve.verdict, Verdict::solved);
  EXPECT_NE(once.system.notes[0].find("its budget is"), std::string::npos) << once.system.notes[0];
  options.mixed_precision = true;
  const Factorization<double> mixed(analysis, matrix);
  EXPECT_FALSE(mixed.report().is_mixed);
  EXPECT_EQ(mixed.solve(b, x).verdict, Verdict::solved);
}

}  // namespace
}  // namespace frond
