// SPDX-License-Identifier: BSD-3-Clause
// Builds graphs with edge weights from patterns.
#pragma once

#include <numeric>

#include "analysis/graph/level_graph.hpp"
#include "tests/support/matrices/patterns.hpp"

namespace frond::test {

/// Returns the graph of the pattern with all weights 1.
[[nodiscard]] inline LevelGraph level_graph(const Pattern& pattern) {
  const Graph graph = adjacency_graph(pattern.view());
  LevelGraph result;
  result.offsets = graph.offsets;
  result.neighbors.assign(graph.neighbors.begin(), graph.neighbors.end());
  result.weights = graph.weights;
  result.total_weight = std::accumulate(graph.weights.begin(), graph.weights.end(), Count{0});
  return result;
}

}  // namespace frond::test
