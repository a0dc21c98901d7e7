// SPDX-License-Identifier: BSD-3-Clause
// Tests groups of indistinguishable variables against their definition.
#include "analysis/graph/compress.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/matrices/patterns.hpp"

namespace frond::test {
namespace {

std::set<Index> closed_neighborhood(const Graph& graph, Index vertex) {
  std::set<Index> result(graph.neighbors_of(vertex).begin(), graph.neighbors_of(vertex).end());
  result.insert(vertex);
  return result;
}

TEST(Compress, FindsTheGroupsOfTheHeader) {
  const Pattern pattern = pattern_of(5, Symmetry::symmetric, {{1, 0}, {2, 1}, {3, 2}, {4, 2}, {4, 3}});
  const CompressedGraph compressed = compress(adjacency_graph(pattern.view()));
  EXPECT_EQ(compressed.groups.offsets, (std::vector<Index>{0, 1, 2, 3, 5}));
  EXPECT_EQ(compressed.groups.members, (std::vector<Index>{0, 1, 2, 3, 4}));
  EXPECT_EQ(compressed.graph.weights, (std::vector<Index>{1, 1, 1, 2}));
  EXPECT_EQ(compressed.graph.neighbors, (LargeVector<Index>{1, 0, 2, 1, 3, 2}));
}

TEST(Compress, GroupsExactlyTheVerticesWithEqualClosedNeighborhoods) {
  for (const Pattern& pattern : random_sample()) {
    const Graph graph = adjacency_graph(pattern.view());
    const CompressedGraph compressed = compress(graph);
    std::vector<Index> group_of(pattern.order);
    for (Index group = 0; group < compressed.graph.num_vertices(); ++group) {
      EXPECT_EQ(compressed.graph.weights[group], compressed.groups.size(group));
      for (const Index member : compressed.groups.of(group)) group_of[member] = group;
    }
    for (Index a = 0; a < pattern.order; ++a) {
      for (Index b = 0; b < a; ++b) {
        EXPECT_EQ(group_of[a] == group_of[b], closed_neighborhood(graph, a) == closed_neighborhood(graph, b)) << a << ' ' << b;
      }
    }
  }
}

TEST(Compress, RecoversThePointsOfAGridWithSeveralUnknownsPerPoint) {
  const CompressedGraph compressed = compress(adjacency_graph(grid_pattern(5, 4, 3, 3).view()));
  const Graph points = adjacency_graph(grid_pattern(5, 4, 3).view());
  EXPECT_EQ(compressed.graph.weights, std::vector<Index>(60, 3));
  EXPECT_EQ(compressed.graph.offsets, points.offsets);
  EXPECT_EQ(compressed.graph.neighbors, points.neighbors);
}

TEST(Compress, KeepsApartVerticesOfEqualDegreeOnly) {
  const CompressedGraph compressed = compress(adjacency_graph(grid_pattern(6, 1, 1).view()));
  EXPECT_EQ(compressed.graph.num_vertices(), 6);
}

TEST(CompressedGraph, ExpandsAndCollapsesOrders) {
  const Pattern pattern = pattern_of(5, Symmetry::symmetric, {{4, 0}, {3, 1}, {2, 3}});  // {0, 4} is a group
  const CompressedGraph compressed = compress(adjacency_graph(pattern.view()));
  ASSERT_EQ(compressed.groups.members, (std::vector<Index>{0, 4, 1, 2, 3}));
  EXPECT_EQ(compressed.expand(std::vector<Index>{2, 0, 3, 1}), (std::vector<Index>{2, 0, 4, 3, 1}));
  EXPECT_EQ(compressed.collapse(std::vector<Index>{2, 4, 3, 0, 1}), (std::vector<Index>{2, 0, 3, 1}));
}

TEST(WithoutCompression, MakesEveryVertexAGroup) {
  const Graph graph = adjacency_graph(grid_pattern(2, 1, 1, 3).view());
  const CompressedGraph result = without_compression(graph);
  EXPECT_EQ(result.graph.neighbors, graph.neighbors);
  EXPECT_EQ(result.expand(std::vector<Index>{5, 3, 1, 0, 2, 4}), (std::vector<Index>{5, 3, 1, 0, 2, 4}));
}

}  // namespace
}  // namespace frond::test
