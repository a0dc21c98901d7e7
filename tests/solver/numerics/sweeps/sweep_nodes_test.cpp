// SPDX-License-Identifier: BSD-3-Clause
// Tests paths to the roots on a small forest.
#include "solver/numerics/sweeps/sweep_nodes.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace frond {
namespace {

// Two trees: 0 and 1 below 2, and 3 alone; each node has two variables except node 1, which has one.
AssemblyTree small_forest() { return {{2, 2, kNoParent, kNoParent}, {0, 2, 3, 5, 7}, {0, 1, 3, 3, 3}, {3, 3, 4}}; }

TEST(SweepNodes, HaveAllAncestors) {
  const AssemblyTree tree = small_forest();
  const SolvePlan plan(tree);
  const SweepNodes nodes(tree, plan, {0, 1, 0, 0});
  EXPECT_FALSE(nodes.has(0));
  EXPECT_TRUE(nodes.has(1));
  EXPECT_TRUE(nodes.has(2));
  EXPECT_FALSE(nodes.has(3));
  for (Index step = 0; step < static_cast<Index>(plan.steps().size()); ++step) {
    const SolveStep& of = plan.steps()[step];
    EXPECT_EQ(nodes.has_step(step), of.begin <= 2 && of.end > 1);
  }
  EXPECT_FALSE(SweepNodes(tree, plan, {0, 0, 0, 0}).has(2));
  EXPECT_TRUE(SweepNodes().has(3));
}

TEST(SweepNodes, VariablesBelongToTheNodesThatSumThemUp) {
  const AssemblyTree tree = small_forest();
  const std::vector<NodeId> expected{0, 0, 1, 2, 2, 3, 3};
  for (Index variable = 0; variable < 7; ++variable) {
    EXPECT_EQ(node_of(tree, variable), expected[variable]);
  }
}

}  // namespace
}  // namespace frond
