// SPDX-License-Identifier: BSD-3-Clause
// Tests hierarchies of graphs: the parts of a graph are parts on every level.
#include "analysis/graph/graph_hierarchy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/support/matrices/level_graphs.hpp"
#include "tests/support/matrices/patterns.hpp"

namespace frond::test {
namespace {

GraphHierarchy hierarchy_of(const LevelGraph& graph, int num_levels, Random& random) {
  GraphHierarchy hierarchy(graph);
  while (hierarchy.num_levels() < num_levels) hierarchy.add(coarsen(hierarchy.coarsest(), 20, random));
  return hierarchy;
}

// Weights add up from level to level, and every edge of a finer graph is an edge of the coarser one, or inside one of its vertices.
void expect_covers(const GraphHierarchy& hierarchy) {
  for (int level = 0; level + 1 < hierarchy.num_levels(); ++level) {
    const LevelGraph& fine = hierarchy.graph(level);
    const LevelGraph& coarse = hierarchy.graph(level + 1);
    const std::vector<Index>& coarse_of = hierarchy.coarse_of(level);
    ASSERT_EQ(static_cast<Index>(coarse_of.size()), fine.num_vertices());
    std::vector<Index> weights(coarse.weights.size(), 0);
    for (Index vertex = 0; vertex < fine.num_vertices(); ++vertex) {
      weights[coarse_of[vertex]] += fine.weights[vertex];
      const auto neighbors = coarse.neighbors_of(coarse_of[vertex]);
      for (const Index neighbor : fine.neighbors_of(vertex)) {
        EXPECT_TRUE(coarse_of[neighbor] == coarse_of[vertex] ||
                    std::find(neighbors.begin(), neighbors.end(), coarse_of[neighbor]) != neighbors.end());
      }
    }
    EXPECT_EQ(weights, coarse.weights);
    EXPECT_EQ(fine.total_weight, coarse.total_weight);
  }
}

TEST(GraphHierarchy, KeepsPartsOnEveryLevel) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(seed);
  Random random(seed);
  for (const LevelGraph& graph : {level_graph(grid_pattern(20, 30, 1)), level_graph(grid_pattern(9, 8, 7))}) {
    const GraphHierarchy whole = hierarchy_of(graph, 4, random);
    std::vector<Index> number(graph.weights.size(), -1);
    Index count = 0;
    for (Index& place : number) {
      if (random() % 3 != 0) place = count++;
    }
    const GraphHierarchy part = whole.part(number, count);
    ASSERT_EQ(part.num_levels(), 4);
    EXPECT_EQ(part.finest().num_vertices(), count);
    expect_covers(whole);
    expect_covers(part);
    for (int level = 0; level < 4; ++level) {
      EXPECT_LE(part.graph(level).num_vertices(), whole.graph(level).num_vertices());
    }
  }
}

TEST(GraphHierarchy, HasPartsOfNothing) {
  Random random(1);
  const LevelGraph graph = level_graph(grid_pattern(10, 10, 1));
  const GraphHierarchy part = hierarchy_of(graph, 3, random).part(std::vector<Index>(100, -1), 0);
  EXPECT_EQ(part.num_levels(), 3);
  EXPECT_EQ(part.coarsest().num_vertices(), 0);
}

}  // namespace
}  // namespace frond::test
