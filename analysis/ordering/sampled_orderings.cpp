// SPDX-License-Identifier: BSD-3-Clause
// Takes a ball around a vertex, and orders it.
#include "analysis/ordering/sampled_orderings.hpp"

#include <vector>

#include "analysis/graph/dense_degree.hpp"
#include "analysis/ordering/amd_ordering.hpp"
#include "analysis/ordering/elimination.hpp"
#include "analysis/ordering/nested_dissection.hpp"

namespace frond {
namespace {

constexpr Index kUnreached = -1;

/// Vertices in the order in which they are reached.
struct Ball {
  std::vector<Index> vertices;
  std::vector<Index> number;  // of a vertex of the graph among them

  Ball(const Graph& graph, Index num_vertices) : number(static_cast<std::size_t>(graph.num_vertices()), kUnreached) {
    const double most_neighbors = dense_degree(graph);
    Index next_component = 0;
    reach(graph.num_vertices() / 2);
    for (std::size_t k = 0; static_cast<Index>(vertices.size()) < num_vertices; ++k) {
      if (k == vertices.size()) {
        while (number[next_component] != kUnreached) ++next_component;
        reach(next_component);
      }
      if (graph.degree(vertices[k]) > most_neighbors) continue;
      for (const Index neighbor : graph.neighbors_of(vertices[k])) {
        if (number[neighbor] == kUnreached && static_cast<Index>(vertices.size()) < num_vertices) reach(neighbor);
      }
    }
  }

 private:
  void reach(Index vertex) {
    number[vertex] = static_cast<Index>(vertices.size());
    vertices.push_back(vertex);
  }
};

Graph graph_within(const Graph& graph, const Ball& ball) {
  Graph part;
  for (const Index vertex : ball.vertices) {
    for (const Index neighbor : graph.neighbors_of(vertex)) {
      if (ball.number[neighbor] != kUnreached) part.neighbors.push_back(ball.number[neighbor]);
    }
    part.offsets.push_back(static_cast<Count>(part.neighbors.size()));
    part.weights.push_back(graph.weights[vertex]);
  }
  return part;
}

}  // namespace

SampledOrderings sample_orderings(const Graph& graph, Index num_vertices, int num_threads, Observer* observer) {
  const Graph part = graph_within(graph, Ball(graph, num_vertices));
  return {eliminate(part, amd_ordering(part)).sum_squares,
          eliminate(part, nested_dissection(part, num_threads, observer)).sum_squares};
}

}  // namespace frond
