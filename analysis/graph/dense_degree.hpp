// SPDX-License-Identifier: BSD-3-Clause
// The degree from which on a vertex is dense, and ordered last.
#pragma once

#include <algorithm>
#include <cmath>

#include "analysis/graph/graph.hpp"

namespace frond {

/// More neighbours than this make a vertex dense: 10 sqrt(n), the default of AMD, but at least 16 (small graphs) and ten times the
/// mean degree (graphs that are dense altogether, where a large degree sets no vertex apart).
[[nodiscard]] inline double dense_degree(const Graph& graph) {
  const double num_vertices = std::max<double>(graph.num_vertices(), 1);
  const double mean_degree = static_cast<double>(graph.neighbors.size()) / num_vertices;
  return std::max({16.0, 10 * std::sqrt(num_vertices), 10 * mean_degree});
}

}  // namespace frond
