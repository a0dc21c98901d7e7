// SPDX-License-Identifier: BSD-3-Clause
// Tests minimum degree against elimination on sets.
#include "analysis/ordering/leaf_ordering.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "tests/support/matrices/patterns.hpp"

namespace frond::test {
namespace {

using Neighborhoods = std::vector<std::set<Index>>;

Neighborhoods neighborhoods(const Graph& graph) {
  Neighborhoods sets(graph.num_vertices());
  for (Index vertex = 0; vertex < graph.num_vertices(); ++vertex) {
    const auto neighbors = graph.neighbors_of(vertex);
    sets[vertex].insert(neighbors.begin(), neighbors.end());
  }
  return sets;
}

void eliminate(Neighborhoods& sets, Index pivot) {
  for (const Index a : sets[pivot]) {
    for (const Index b : sets[pivot]) {
      if (a != b) sets[a].insert(b);
    }
    sets[a].erase(pivot);
  }
}

Count degree(const Graph& graph, const Neighborhoods& sets, Index vertex) {
  Count sum = 0;
  for (const Index neighbor : sets[vertex]) sum += graph.weights[neighbor];
  return sum;
}

// Expects that every vertex has the least degree of the remaining vertices.
void expect_minimum_degree(const Graph& graph, std::span<const Index> order) {
  Neighborhoods sets = neighborhoods(graph);
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (std::size_t later = k + 1; later < order.size(); ++later) {
      EXPECT_LE(degree(graph, sets, order[k]), degree(graph, sets, order[later]));
    }
    eliminate(sets, order[k]);
  }
}

TEST(LeafOrdering, TakesAVertexOfLeastDegreeOneAfterTheOther) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (const bool has_equal_weights : {true, false}) {
    for (int run = 0; run < 20; ++run) {
      Graph graph = adjacency_graph(random_pattern(150, Symmetry::symmetric, 0.03, random()).view());
      if (!has_equal_weights) {
        for (Index& weight : graph.weights) weight = 1 + static_cast<Index>(random() % 5);
      }
      LeafOrdering leaf(graph);
      for (const std::size_t size : {std::size_t{70}, std::size_t{1}, std::size_t{30}}) {
        std::vector<Index> vertices = random_permutation(150, random());
        vertices.resize(size);
        std::vector<Index> ordered = vertices;
        leaf.order(ordered);
        EXPECT_TRUE(std::is_permutation(ordered.begin(), ordered.end(), vertices.begin(), vertices.end()));
        expect_minimum_degree(graph, ordered);
      }
    }
  }
}

// The inner end of a path is ordered last, since its neighbour outside counts.
TEST(LeafOrdering, CountsNeighborsOutside) {
  const Graph graph = adjacency_graph(grid_pattern(6, 1, 1).view());
  std::vector<Index> vertices = {0, 1, 2};
  LeafOrdering(graph).order(vertices);
  EXPECT_EQ(vertices, (std::vector<Index>{0, 1, 2}));
}

}  // namespace
}  // namespace frond::test
