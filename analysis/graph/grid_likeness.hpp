// SPDX-License-Identifier: BSD-3-Clause
// Detects graphs that look like a grid about as long as wide as high.
#pragma once

#include "analysis/graph/graph.hpp"

namespace frond {

/// True if all vertices have about as many neighbours and paths through the graph are as long as in a cube of as many vertices, one
/// to three times the cube root: two breadth-first searches, abandoned when they get too far. False for grids in the plane, long
/// bars, several components, and graphs in which a few edges lead everywhere. O(edges).
[[nodiscard]] bool is_like_cube(const Graph& graph);

}  // namespace frond
