// SPDX-License-Identifier: BSD-3-Clause
// Tests factorizations that outgrow a budget: they stop before they pass it, for any number of threads and ranks, and those that
// stay within it are the same as without one.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/tree/front_cost.hpp"
#include "factorization/factorize.hpp"
#include "factorization/memory/memory_meter.hpp"
#include "frond/error.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/ranks/rank_problem.hpp"
#include "tests/support/ranks/single_front.hpp"

namespace frond::test {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

struct Problem {
  Method method;
  SparseMatrix<double> matrix;
  std::shared_ptr<const Symbolic> symbolic;

  Problem(Method how, SparseMatrix<double> what, OrderingKind ordering = OrderingKind::automatic)
      : method(how), matrix(std::move(what)) {
    symbolic = analyze(matrix.pattern(), {.ordering = {.kind = ordering}});
  }

  [[nodiscard]] FactorizationResult<double> run(int num_threads, const WorkBudget& budget,
                                                ExecutorKind executor = ExecutorKind::threads) const {
    FactorizationRunOptions options;
    options.num_threads = num_threads;
    options.budget = budget;
    options.executor = executor;
    return factorize<double>(symbolic, method, matrix.values, {}, {}, options);
  }
  // Returns nothing if the run stays within its budget.
  [[nodiscard]] std::optional<BudgetError> error(int num_threads, const WorkBudget& budget,
                                                 ExecutorKind executor = ExecutorKind::threads) const {
    try {
      (void)run(num_threads, budget, executor);
      return std::nullopt;
    } catch (const BudgetError& error) {
      return error;
    }
  }
  [[nodiscard]] double predicted_flops() const { return TaskGraph(symbolic->tree(), method, sizeof(double)).total_flops(); }
  [[nodiscard]] Count predicted_bytes() const { return estimate_memory(*symbolic, method, sizeof(double), 1).peak_bytes(); }
};

Problem runaway(Method method) { return {method, runaway_chain(symmetry_of(method), 300), OrderingKind::natural}; }

Problem grid(Method method, Values values) { return {method, grid_matrix<double>(symmetry_of(method), 9, 8, 7, values, 1)}; }

// Returns the least budget that suffices. `error_of` returns what a budget lacks.
template <class ErrorOf>
double least_flops(const ErrorOf& error_of) {
  double flops = 1;
  while (const std::optional<BudgetError::Figures> figures = error_of(flops)) {
    EXPECT_GT(figures->needed_flops, flops);
    flops = figures->needed_flops;
  }
  return flops;
}

TEST(WorkBudget, StopsBeforeDelaysRunAway) {
  for (const Method method : {Method::ldlt, Method::lu}) {
    const Problem problem = runaway(method);
    const FactorizationReport unlimited = problem.run(1, {}).report;
    const double budget = 2 * problem.predicted_flops();
    ASSERT_GT(unlimited.flops, 20 * budget);
    for (const int num_threads : {1, 2, 8}) {
      for (const ExecutorKind executor : {ExecutorKind::threads, ExecutorKind::tbb}) {
        SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", threads " << num_threads);
        const std::optional<BudgetError> error = problem.error(num_threads, {.flops = budget}, executor);
        ASSERT_TRUE(error);
        const BudgetError::Figures& figures = error->figures();
        EXPECT_EQ(figures.budget_flops, budget);
        EXPECT_GT(figures.needed_flops, budget);
        EXPECT_GT(figures.flops_done, 0);
        EXPECT_LE(figures.flops_done, budget);
        EXPECT_GT(figures.num_delayed_pivots, 0);
        EXPECT_LT(figures.num_delayed_pivots, unlimited.num_delayed_pivots / 10);
        EXPECT_GT(figures.needed_bytes, 0);
        EXPECT_LT(figures.needed_bytes, unlimited.peak_bytes / 10);
        EXPECT_NE(std::string(error->what()).find(std::to_string(figures.num_delayed_pivots) + " pivots were delayed"),
                  std::string::npos)
            << error->what();
      }
    }
  }
}

TEST(WorkBudget, StopsBeforeItTakesTheMemoryOfAFront) {
  for (const Method method : {Method::ldlt, Method::lu}) {
    const Problem problem = runaway(method);
    const FactorizationReport unlimited = problem.run(1, {}).report;
    for (const int num_threads : {1, 2, 8}) {
      SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", threads " << num_threads);
      const WorkBudget budget{.bytes = 4 * problem.predicted_bytes()};
      ASSERT_GT(unlimited.peak_bytes, 2 * budget.bytes);
      const std::optional<BudgetError> error = problem.error(num_threads, budget);
      ASSERT_TRUE(error);
      EXPECT_EQ(error->figures().budget_bytes, budget.bytes);
      EXPECT_GT(error->figures().needed_bytes, budget.bytes);
      EXPECT_GT(error->figures().num_delayed_pivots, 0);
      EXPECT_LT(error->figures().flops_done, unlimited.flops / 2);
      EXPECT_NE(std::string(error->what()).find(std::to_string(budget.bytes) + " bytes"), std::string::npos) << error->what();
    }
    EXPECT_FALSE(problem.error(1, {.bytes = unlimited.peak_bytes}));
    EXPECT_TRUE(problem.error(1, {.bytes = unlimited.peak_bytes - 1}));
  }
}

TEST(WorkBudget, WhatStaysWithinItHasTheBitsOfNone) {
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    const Problem problem = grid(method, method == Method::cholesky ? Values::dominant : Values::zero_diagonal);
    const FactorizationResult<double> expected = problem.run(1, {});
    for (const int num_threads : {1, 4}) {
      const WorkBudget budget{.flops = 100 * expected.report.flops, .bytes = 100 * expected.report.peak_bytes};
      const FactorizationResult<double> result = problem.run(num_threads, budget);
      EXPECT_TRUE(same_bits(*result.factors, *expected.factors));
      EXPECT_EQ(result.report.flops, expected.report.flops);
      EXPECT_EQ(result.report.num_delayed_pivots, expected.report.num_delayed_pivots);
    }
  }
}

// Without delays, all fronts of one tree, or of several, do what was predicted.
TEST(WorkBudget, OfThePredictedFlopsSufficesWithoutDelays) {
  const std::vector<Index> sizes(8, 5);
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    for (const Problem& problem :
         {grid(method, Values::dominant), Problem(method, uncoupled_grids(symmetry_of(method), sizes, 1))}) {
      const double flops = problem.predicted_flops();
      for (const int num_threads : {1, 2, 8}) {
        EXPECT_FALSE(problem.error(num_threads, {.flops = flops}));
        EXPECT_TRUE(problem.error(num_threads, {.flops = flops - 1}));
      }
    }
  }
}

TEST(WorkBudget, SufficesOrNotForAnyNumberOfThreads) {
  for (const Method method : {Method::ldlt, Method::lu}) {
    for (const Problem& problem : {grid(method, Values::zero_diagonal), runaway(method)}) {
      const double least = least_flops([&](double flops) -> std::optional<BudgetError::Figures> {
        const std::optional<BudgetError> error = problem.error(1, {.flops = flops});
        return error ? std::optional(error->figures()) : std::nullopt;
      });
      EXPECT_GE(least, problem.run(1, {}).report.flops);
      for (const int num_threads : {1, 2, 3, 8}) {
        for (int repeat = 0; repeat < 3; ++repeat) {
          EXPECT_FALSE(problem.error(num_threads, {.flops = least}));
          EXPECT_TRUE(problem.error(num_threads, {.flops = least - 1}));
        }
      }
    }
  }
}

double predicted_flops(const AssemblyTree& tree, NodeId node, Index num_delayed_in = 0) {
  return elimination_cost(tree.front_order(node) + num_delayed_in, tree.num_pivots(node) + num_delayed_in, Method::ldlt).flops;
}

bool refuses(const WorkMeter& work, NodeId node, Index num_delayed_in) {
  try {
    work.check_front(node, num_delayed_in, 0);
    return false;
  } catch (const BudgetError&) {
    return true;
  }
}

// In either order of two trees, the flops added in the other one may use all of the rest until both are done.
TEST(WorkBudget, OfAFrontIsForItAndAllBelow) {
  const std::vector<Index> sizes = {6, 6};
  const Problem problem(Method::ldlt, uncoupled_grids(Symmetry::symmetric, sizes, 1));
  const AssemblyTree& tree = problem.symbolic->tree();
  const NodeId leaf = 0;
  const NodeId parent = tree.parent(leaf);
  ASSERT_NE(parent, kNoParent);
  const NodeId other_root = tree.num_nodes() - 1;
  constexpr Index kNumDelayed = 3;
  const auto added_to = [&](NodeId node) { return predicted_flops(tree, node, kNumDelayed) - predicted_flops(tree, node); };
  const double of_leaf = 60;
  const double most_added = std::max(of_leaf + added_to(parent), added_to(other_root)) - 1;
  WorkMeter work({.flops = problem.predicted_flops() + most_added}, tree, Method::ldlt);
  work.add_front(leaf, predicted_flops(tree, leaf) + of_leaf, {1, 0}, 0);
  for (const NodeId node : {parent, other_root}) {
    const bool fits = added_to(node) + (node == parent ? of_leaf : 0) <= most_added;
    EXPECT_EQ(fits, !refuses(work, node, kNumDelayed)) << node;
  }
  EXPECT_FALSE(refuses(work, parent, 0));
  EXPECT_THROW(work.add_front(other_root, predicted_flops(tree, other_root) + most_added - 50, {1, 0}, 0), BudgetError);
}

// The delays of some children already give a lower bound of their parent's cost.
TEST(WorkBudget, IsPassedBeforeAllChildrenAreDone) {
  const Problem problem = grid(Method::ldlt, Values::dominant);
  const AssemblyTree& tree = problem.symbolic->tree();
  const auto is_family = [&](NodeId node) { return tree.children(node).size() > 1; };
  NodeId node = 0;
  while (!is_family(node)) {
    ++node;
  }
  constexpr Index kNumDelayed = 5;
  const double most_added = predicted_flops(tree, node, kNumDelayed) - predicted_flops(tree, node);
  const NodeId child = *tree.children(node).begin();
  for (const double spare : {-0.5, 0.5}) {
    WorkMeter work({.flops = problem.predicted_flops() + most_added + spare}, tree, Method::ldlt);
    const auto add_child = [&] { work.add_front(child, predicted_flops(tree, child), {0, kNumDelayed}, 0); };
    if (spare < 0) {
      EXPECT_THROW(add_child(), BudgetError);
    } else {
      EXPECT_NO_THROW(add_child());
    }
  }
}

TEST(WorkBudget, IsRefusedIfItIsNegativeOrNoNumber) {
  const Problem problem = grid(Method::ldlt, Values::dominant);
  for (const WorkBudget& budget : {WorkBudget{.flops = -1}, WorkBudget{.flops = std::numeric_limits<double>::quiet_NaN()},
                                   WorkBudget{.flops = kNoLimit, .bytes = -1}}) {
    EXPECT_THROW((void)problem.run(1, budget), UsageError);
  }
}

TEST(WorkBudget, CountsNoBytesThatPassIt) {
  const Problem problem = grid(Method::ldlt, Values::dominant);
  const WorkMeter work({.bytes = 100}, problem.symbolic->tree(), Method::ldlt);
  MemoryMeter meter(1000, "the limit is", &work);
  meter.charge(60);
  EXPECT_THROW(meter.charge_active(41), BudgetError);
  EXPECT_THROW(meter.charge(1000), MemoryError);
  EXPECT_EQ(meter.current(), 60);
  EXPECT_EQ(meter.peak(), 60);
  EXPECT_EQ(meter.current_active(), 0);
  EXPECT_NO_THROW(meter.charge(40));
}

// The least budget does not depend on the order of events or on the choice of slaves.
TEST(WorkBudget, OfRanksSufficesOrNotForAnyCourse) {
  for (const Types types : {Types::sequential, Types::row_distributed, Types::grid}) {
    for (const Method method : {Method::ldlt, Method::lu}) {
      for (const Rank num_ranks : {1, 2, 4}) {
        SCOPED_TRACE(::testing::Message() << "types " << static_cast<int>(types) << ", method " << static_cast<int>(method)
                                          << ", ranks " << num_ranks);
        const RankProblem<double> problem(method, 5, Values::zero_diagonal, types, num_ranks);
        const auto failure = [&problem](double flops, std::uint32_t seed) {
          return problem.run({.seed = seed, .budget = {.flops = flops}}).failure;
        };
        const double least = least_flops([&](double flops) -> std::optional<BudgetError::Figures> {
          const std::optional<Failure> of_flops = failure(flops, 1);
          return of_flops ? std::optional(of_flops->figures) : std::nullopt;
        });
        for (std::uint32_t seed = 1; seed < 6; ++seed) {
          EXPECT_FALSE(failure(least, seed));
          const std::optional<Failure> of_less = failure(least - 1, seed);
          ASSERT_TRUE(of_less);
          EXPECT_EQ(of_less->kind, Failure::Kind::budget);
          EXPECT_EQ(of_less->figures.budget_flops, least - 1);
        }
      }
    }
  }
}

// Slaves do not take memory for a front that its master would refuse.
TEST(WorkBudget, StopsSlavesBeforeTheyTakeMemory) {
  int num_stopped_by_slaves = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const RankProblem<double> problem(Method::lu, 6, Values::zero_diagonal, Types::row_distributed, 4);
    const double predicted = TaskGraph(problem.symbolic->tree(), Method::lu, sizeof(double)).total_flops();
    for (const double share : {1.0001, 1.001, 1.01, 1.03, 1.1}) {
      std::vector<Phase> last(4, Phase::job);  // [rank]
      const auto note_phase = [&last](Rank rank, Phase phase) {
        if (phase != Phase::ending) {
          last[rank] = phase;
        }
      };
      const auto run = problem.run({.seed = seed, .budget = {.flops = share * predicted}, .before = note_phase});
      const bool is_of_slave =
          run.failure && run.failure->kind == Failure::Kind::budget && last[run.failure->origin] == Phase::expecting;
      num_stopped_by_slaves += is_of_slave ? 1 : 0;
    }
  }
  EXPECT_GT(num_stopped_by_slaves, 0);
}

}  // namespace
}  // namespace frond::test
