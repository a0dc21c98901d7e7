// SPDX-License-Identifier: BSD-3-Clause
// Tests coarsening: what the weights of merged vertices and edges add up to.
#include "analysis/graph/level_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/support/matrices/level_graphs.hpp"
#include "tests/support/matrices/patterns.hpp"

namespace frond::test {
namespace {

// Returns the weights of the edges between different coarse vertices, added up from the fine graph.
std::map<Entry, Count> joined_edges(const LevelGraph& fine, const std::vector<Index>& coarse_of) {
  std::map<Entry, Count> edges;
  for (Index vertex = 0; vertex < fine.num_vertices(); ++vertex) {
    for (Count e = fine.offsets[vertex]; e < fine.offsets[vertex + 1]; ++e) {
      const Entry edge = {coarse_of[vertex], coarse_of[fine.neighbors[e]]};
      if (edge.first != edge.second) edges[edge] += fine.edge_weight(e);
    }
  }
  return edges;
}

void expect_coarsening(const LevelGraph& fine, const Coarsening& coarsening, Count max_weight) {
  const LevelGraph& coarse = coarsening.graph;
  std::vector<Count> weights(coarse.num_vertices(), 0);
  std::vector<Index> num_members(coarse.num_vertices(), 0);
  for (Index vertex = 0; vertex < fine.num_vertices(); ++vertex) {
    weights[coarsening.coarse_of[vertex]] += fine.weights[vertex];
    ++num_members[coarsening.coarse_of[vertex]];
  }
  for (Index vertex = 0; vertex < coarse.num_vertices(); ++vertex) {
    EXPECT_EQ(weights[vertex], coarse.weights[vertex]);
    EXPECT_TRUE(num_members[vertex] == 1 || (num_members[vertex] == 2 && weights[vertex] <= max_weight));
  }
  EXPECT_EQ(coarse.total_weight, fine.total_weight);
  std::map<Entry, Count> edges;
  for (Index vertex = 0; vertex < coarse.num_vertices(); ++vertex) {
    for (Count e = coarse.offsets[vertex]; e < coarse.offsets[vertex + 1]; ++e) {
      EXPECT_TRUE(edges.emplace(Entry{vertex, coarse.neighbors[e]}, coarse.edge_weight(e)).second);
    }
  }
  EXPECT_EQ(edges, joined_edges(fine, coarsening.coarse_of));
}

TEST(Coarsen, AddsUpVerticesAndEdgesLevelByLevel) {
  std::vector<LevelGraph> graphs = {level_graph(grid_pattern(20, 15, 4)), level_graph(grid_pattern(300, 1, 1))};
  for (const Pattern& pattern : random_sample()) graphs.push_back(level_graph(pattern));
  for (LevelGraph graph : graphs) {
    Random random(5);
    for (int level = 0; level < 4; ++level) {
      const Count max_weight = 6;
      Coarsening coarsening = coarsen(graph, max_weight, random);
      expect_coarsening(graph, coarsening, max_weight);
      graph = std::move(coarsening.graph);
    }
  }
}

TEST(Coarsen, AboutHalvesAGrid) {
  const LevelGraph graph = level_graph(grid_pattern(30, 30, 10));
  Random random(1);
  EXPECT_LT(coarsen(graph, 10, random).graph.num_vertices(), 0.6 * graph.num_vertices());
}

TEST(Coarsen, JoinsTheTipsOfAStar) {
  std::vector<Entry> entries;
  for (Index k = 1; k <= 40; ++k) entries.push_back({k, 0});
  const LevelGraph graph = level_graph(pattern_of(41, Symmetry::symmetric, entries));
  Random random(1);
  EXPECT_LE(coarsen(graph, 10, random).graph.num_vertices(), 21);
}

TEST(InducedSubgraph, HoldsWhatIsNumbered) {
  const LevelGraph path = level_graph(grid_pattern(6, 1, 1));
  const std::vector<Index> number = {0, 1, -1, 2, 3, 4};
  const LevelGraph part = induced_subgraph(path, number, 5);
  EXPECT_EQ(part.total_weight, 5);
  const std::vector<Count> degrees = {part.degree(0), part.degree(1), part.degree(2), part.degree(3), part.degree(4)};
  EXPECT_EQ(degrees, (std::vector<Count>{1, 1, 1, 2, 1}));
}

}  // namespace
}  // namespace frond::test
