// SPDX-License-Identifier: BSD-3-Clause
// Tests the way from sizes to the numbered tree; analyze_test.cpp compares the rows with naive elimination on many patterns.
#include "analysis/tree/front_structure.hpp"

#include <gtest/gtest.h>

#include "analysis/tree/child_order.hpp"
#include "frond/error.hpp"
#include "tests/support/matrices/patterns.hpp"

namespace frond::test {
namespace {

/// Eliminates a path of five vertices in the order 0, 4, 1, 3, 2: two branches that meet in vertex 2.
Elimination two_branches() { return eliminate(adjacency_graph(grid_pattern(5, 1, 1).view()), {0, 4, 1, 3, 2}); }

NumberedTree number(const Elimination& elimination, const SupernodeTree& supernodes) {
  const FrontTree fronts = amalgamate(supernodes, Symmetry::symmetric, {.enabled = false});
  return build_assembly_tree(elimination, supernodes, fronts, liu_order(fronts, true));
}

TEST(BuildAssemblyTree, NumbersBranchByBranch) {
  const Elimination elimination = two_branches();
  const auto [tree, vertex_perm] = number(elimination, fundamental_supernodes(elimination));
  ASSERT_EQ(tree.num_nodes(), 5);
  EXPECT_EQ(elimination.perm, (std::vector<Index>{0, 1, 4, 3, 2}));
  EXPECT_EQ(vertex_perm, (std::vector<Index>{0, 1, 2, 3, 4}));
  const std::vector<NodeId> parents = {1, 4, 3, 4, kNoParent};
  for (NodeId node = 0; node < 5; ++node) {
    EXPECT_EQ(tree.parent(node), parents[node]);
    EXPECT_EQ(tree.cb_order(node), node == 4 ? 0 : 1);
    if (node < 4) {
      EXPECT_EQ(tree.cb_rows(node)[0], parents[node]);
    }
  }
}

TEST(BuildAssemblyTree, FindsCountsThatAreWrong) {
  const Elimination elimination = two_branches();
  SupernodeTree supernodes = fundamental_supernodes(elimination);
  supernodes.cb_order[2] = 2;
  EXPECT_THROW((void)number(elimination, supernodes), InternalError);
  supernodes.cb_order[2] = 0;
  EXPECT_THROW((void)number(elimination, supernodes), InternalError);
}

}  // namespace
}  // namespace frond::test
