// SPDX-License-Identifier: BSD-3-Clause
// Builds graphs with edge weights from patterns.
#pragma once

#include <numeric>

#include "analysis/graph/level_graph.hpp"
#include "tests/support/matrices/patterns.hpp"

namespace frond::test {

/// Returns the graph of the pattern with all weights 1.
[[nodiscard]] inline LevelGraph level_graph(const Pattern& pattern) {
  LevelGraph result{adjacency_graph(pattern.view()), {}, 0};
  result.total_weight = std::accumulate(result.weights.begin(), result.weights.end(), Count{0});
  return result;
}

}  // namespace frond::test
