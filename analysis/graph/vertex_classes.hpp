// SPDX-License-Identifier: BSD-3-Clause
// Classifies the vertices of a graph by what nested dissection can do with them.
#pragma once

#include <vector>

#include "analysis/graph/graph.hpp"

namespace frond {

struct VertexClasses {
  std::vector<Index> isolated;   ///< no neighbours, or dense ones only
  std::vector<Index> connected;  ///< the rest
  std::vector<Index> dense;      ///< too many neighbours to separate anything (see dense_degree), by increasing degree
};

[[nodiscard]] VertexClasses classify(const Graph& graph);

}  // namespace frond
