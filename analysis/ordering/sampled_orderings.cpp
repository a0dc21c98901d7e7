// SPDX-License-Identifier: BSD-3-Clause
// Takes a ball around a vertex, and orders it.
#include "analysis/ordering/sampled_orderings.hpp"

#include <vector>

#include "analysis/graph/dense_degree.hpp"
#include "analysis/graph/level_graph.hpp"
#include "analysis/ordering/amd_ordering.hpp"
#include "analysis/ordering/elimination.hpp"
#include "analysis/ordering/nested_dissection.hpp"

namespace frond {
namespace {

// Returns the vertices of a ball in the order in which they are reached.
std::vector<Index> ball(const Graph& graph, Index num_vertices) {
  const double most_neighbors = dense_degree(graph);
  std::vector<Index> vertices;
  std::vector<bool> is_reached(static_cast<std::size_t>(graph.num_vertices()), false);
  const auto reach = [&](Index vertex) {
    is_reached[vertex] = true;
    vertices.push_back(vertex);
  };
  Index next_component = 0;
  reach(graph.num_vertices() / 2);
  for (std::size_t k = 0; static_cast<Index>(vertices.size()) < num_vertices; ++k) {
    if (k == vertices.size()) {
      while (is_reached[next_component]) ++next_component;
      reach(next_component);
    }
    if (graph.degree(vertices[k]) > most_neighbors) continue;
    for (const Index neighbor : graph.neighbors_of(vertices[k])) {
      if (!is_reached[neighbor] && static_cast<Index>(vertices.size()) < num_vertices) reach(neighbor);
    }
  }
  return vertices;
}

}  // namespace

SampledOrderings sample_orderings(const Graph& graph, Index num_vertices, int num_threads, Observer* observer) {
  const LevelGraph part = induced_subgraph(graph, ball(graph, num_vertices));
  return {eliminate(part, amd_ordering(part)).sum_squares,
          eliminate(part, nested_dissection(part, num_threads, observer)).sum_squares};
}

}  // namespace frond
