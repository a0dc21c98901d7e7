// SPDX-License-Identifier: BSD-3-Clause
// Tests fundamental supernodes by hand and against their definition on the naive factor.
#include "analysis/tree/supernodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/support/matrices/patterns.hpp"
#include "tests/support/oracles/reference.hpp"

namespace frond::test {
namespace {

Elimination natural_elimination(const Pattern& pattern) {
  std::vector<Index> identity(pattern.order);
  std::iota(identity.begin(), identity.end(), 0);
  return eliminate(adjacency_graph(pattern.view()), identity);
}

TEST(Supernodes, OfATridiagonalMatrixAreItsColumnsButTheLastTwo) {
  const SupernodeTree tree = fundamental_supernodes(natural_elimination(grid_pattern(5, 1, 1)));
  EXPECT_EQ(tree.vertex_offsets, (std::vector<Index>{0, 1, 2, 3, 5}));
  EXPECT_EQ(tree.parent, (std::vector<Index>{1, 2, 3, kNoParent}));
  EXPECT_EQ(tree.num_fully_summed, (std::vector<Index>{1, 1, 1, 2}));
  EXPECT_EQ(tree.cb_order, (std::vector<Index>{1, 1, 1, 0}));
}

TEST(Supernodes, OfAFullMatrixAreOne) {
  const SupernodeTree tree = fundamental_supernodes(natural_elimination(random_pattern(9, Symmetry::general, 1, 1)));
  EXPECT_EQ(tree.num_fully_summed, (std::vector<Index>{9}));
  EXPECT_EQ(tree.cb_order, (std::vector<Index>{0}));
}

TEST(Supernodes, CountTheVariablesOfWeightedVertices) {
  Graph graph = adjacency_graph(grid_pattern(3, 1, 1).view());
  graph.weights = {2, 3, 4};
  const SupernodeTree tree = fundamental_supernodes(eliminate(graph, {0, 1, 2}));
  EXPECT_EQ(tree.vertex_offsets, (std::vector<Index>{0, 1, 3}));
  EXPECT_EQ(tree.num_fully_summed, (std::vector<Index>{2, 7}));
  EXPECT_EQ(tree.cb_order, (std::vector<Index>{3, 0}));
}

/// Vertices 0 to 5: 0, 1, 3 and 4 are coupled with the last two, and 2 with the last one.
Pattern twins_pattern() {
  return pattern_of(7, Symmetry::symmetric, {{5, 0}, {6, 0}, {5, 1}, {6, 1}, {6, 2}, {5, 3}, {6, 3}, {5, 4}, {6, 4}, {6, 5}});
}

TEST(Supernodes, KnowLeavesWithTheSameRows) {
  const Elimination elimination = natural_elimination(twins_pattern());
  const SupernodeTree tree = fundamental_supernodes(elimination);
  ASSERT_EQ(static_cast<Index>(tree.next_twin.size()), tree.num_supernodes());
  Index num_twins = 0;
  for (Index leaf = 0; leaf < tree.num_supernodes(); ++leaf) {
    const Index twin = tree.next_twin[leaf];
    if (twin == kNoTwin) continue;
    ++num_twins;
    EXPECT_GT(twin, leaf);
    EXPECT_EQ(tree.parent[twin], tree.parent[leaf]);
    EXPECT_EQ(tree.cb_order[leaf], 2);
    EXPECT_EQ(tree.cb_order[twin], 2);
  }
  EXPECT_EQ(num_twins, 3);
}

TEST(Supernodes, OfNothingAreNone) {
  const SupernodeTree tree = fundamental_supernodes(natural_elimination(Pattern{}));
  EXPECT_EQ(tree.num_supernodes(), 0);
  EXPECT_EQ(tree.vertex_offsets, (std::vector<Index>{0}));
}

/// True if columns v-1 and v of L belong to one fundamental supernode, by the definition.
bool belong_together(const NaiveFactor& factor, const std::vector<Index>& parent, Index v) {
  if (parent[v - 1] != v || std::count(parent.begin(), parent.end(), v) != 1) return false;
  for (Index row = v + 1; row < factor.order(); ++row) {
    if (factor.has(row, v - 1) != factor.has(row, v)) return false;
  }
  return true;
}

TEST(Supernodes, AreTheLongestRangesThatTheDefinitionAllows) {
  std::uint64_t seed = 400;
  for (const Pattern& pattern : random_sample()) {
    const Elimination elimination = eliminate(adjacency_graph(pattern.view()), random_permutation(pattern.order, seed++));
    const SupernodeTree tree = fundamental_supernodes(elimination);
    const NaiveFactor factor(pattern.view(), elimination.perm);
    std::vector<Index> expected_offsets;
    for (Index v = 0; v < pattern.order; ++v) {
      if (v == 0 || !belong_together(factor, elimination.parent, v)) expected_offsets.push_back(v);
    }
    expected_offsets.push_back(pattern.order);
    ASSERT_EQ(tree.vertex_offsets, expected_offsets);
    for (Index s = 0; s < tree.num_supernodes(); ++s) {
      const Index last = tree.vertex_offsets[s + 1] - 1;
      EXPECT_EQ(tree.num_fully_summed[s], last + 1 - tree.vertex_offsets[s]);
      EXPECT_EQ(tree.cb_order[s], factor.counts()[last] - 1);
      const Index next = elimination.parent[last];
      if (next == kNoParent) {
        EXPECT_EQ(tree.parent[s], kNoParent);
      } else {
        EXPECT_LE(tree.vertex_offsets[tree.parent[s]], next);
        EXPECT_GT(tree.vertex_offsets[tree.parent[s] + 1], next);
      }
    }
  }
}

}  // namespace
}  // namespace frond::test
