// SPDX-License-Identifier: BSD-3-Clause
// Tests the schedule of the solves: it is complete and in order, and contributions do not overwrite each other.
#include "solver/numerics/sweeps/solve_plan.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <vector>

#include "analysis/symbolic.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

std::shared_ptr<const Symbolic> laplacian_analysis(Index n) { return analyze(testing::laplacian<double>(n).pattern()); }

// Returns a root of one variable with `num_leaves` leaves of one variable.
AssemblyTree star(Index num_leaves) {
  const auto n = static_cast<std::size_t>(num_leaves);
  std::vector<NodeId> parent(n + 1, num_leaves);
  parent.back() = kNoParent;
  std::vector<Index> variables(n + 2);
  std::iota(variables.begin(), variables.end(), 0);
  std::vector<Count> cb_offsets(n + 2, num_leaves);
  std::iota(cb_offsets.begin(), cb_offsets.end() - 1, Count{0});
  return {parent, variables, cb_offsets, std::vector<Index>(n, num_leaves)};
}

TEST(SolvePlan, VisitsEveryNodeOnceAndChildrenFirst) {
  const auto symbolic = laplacian_analysis(20);
  const SolvePlan plan(symbolic->tree());
  ASSERT_GT(plan.steps().size(), 10u);
  NodeId next = 0;
  for (std::size_t s = 0; s < plan.steps().size(); ++s) {
    const SolveStep& step = plan.steps()[s];
    EXPECT_EQ(step.begin, next);
    EXPECT_GT(step.end, step.begin);
    EXPECT_TRUE(step.parent == kNoStep || step.parent > static_cast<Index>(s));
    next = step.end;
  }
  EXPECT_EQ(next, symbolic->tree().num_nodes());
}

TEST(SolvePlan, LinksStepsAsTheNodesAreLinked) {
  const auto symbolic = laplacian_analysis(20);
  const SolvePlan plan(symbolic->tree());
  std::size_t num_children = plan.children(kNoStep).size();
  for (Index s = 0; s < static_cast<Index>(plan.steps().size()); ++s) {
    num_children += plan.children(s).size();
    for (const Index child : plan.children(s)) {
      const SolveStep& step = plan.steps()[child];
      const NodeId parent = symbolic->tree().parent(step.end - 1);
      EXPECT_EQ(step.parent, s);
      EXPECT_EQ(parent, plan.steps()[s].begin);
    }
  }
  EXPECT_EQ(num_children, plan.steps().size());
}

// Replays a forward solve step by step, and records the owner of each row of the contributions.
TEST(SolvePlan, KeepsContributionsUntilTheParentHasReadThem) {
  const auto symbolic = laplacian_analysis(20);
  const AssemblyTree& tree = symbolic->tree();
  const SolvePlan plan(tree);
  std::vector<NodeId> owner(static_cast<std::size_t>(plan.num_contribution_rows()), kNoParent);
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    for (const NodeId child : tree.children(node)) {
      for (Index row = 0; row < tree.cb_order(child); ++row) {
        ASSERT_EQ(owner[plan.contribution_offset(child) + row], child);
      }
    }
    for (Index row = 0; row < tree.cb_order(node); ++row) {
      owner[plan.contribution_offset(node) + row] = node;
    }
  }
}

// Steps that may run concurrently must not share space for contributions.
TEST(SolvePlan, GivesEveryStepItsOwnSpace) {
  const auto symbolic = laplacian_analysis(20);
  const SolvePlan plan(symbolic->tree());
  std::set<Count> taken;
  for (const SolveStep& step : plan.steps()) {
    std::set<Count> rows;
    for (NodeId node = step.begin; node < step.end; ++node) {
      for (Index row = 0; row < symbolic->tree().cb_order(node); ++row) {
        rows.insert(plan.contribution_offset(node) + row);
      }
    }
    for (const Count row : rows) {
      ASSERT_TRUE(taken.insert(row).second) << "row " << row;
    }
  }
}

TEST(SolvePlan, BundlesSmallSiblings) {
  const SolvePlan plan(star(100000));
  EXPECT_LT(plan.steps().size(), 200u);
  EXPECT_EQ(plan.steps().back().end, 100001);
}

TEST(SolvePlan, OfNothingIsEmpty) {
  const SolvePlan plan{AssemblyTree()};
  EXPECT_TRUE(plan.steps().empty());
  EXPECT_TRUE(plan.children(kNoStep).empty());
}

}  // namespace
}  // namespace frond
