// SPDX-License-Identifier: BSD-3-Clause
// Finds dense vertices, and those that have no other neighbours.
#include "analysis/graph/vertex_classes.hpp"

#include <algorithm>

#include "analysis/graph/dense_degree.hpp"

namespace frond {

VertexClasses classify(const Graph& graph) {
  const double bound = dense_degree(graph);
  VertexClasses classes;
  const auto is_dense = [&](Index vertex) { return graph.degree(vertex) > bound; };
  for (Index vertex = 0; vertex < graph.num_vertices(); ++vertex) {
    const auto neighbors = graph.neighbors_of(vertex);
    if (is_dense(vertex)) {
      classes.dense.push_back(vertex);
    } else if (std::all_of(neighbors.begin(), neighbors.end(), is_dense)) {
      classes.isolated.push_back(vertex);
    } else {
      classes.connected.push_back(vertex);
    }
  }
  std::stable_sort(classes.dense.begin(), classes.dense.end(), [&](Index a, Index b) { return graph.degree(a) < graph.degree(b); });
  return classes;
}

}  // namespace frond
