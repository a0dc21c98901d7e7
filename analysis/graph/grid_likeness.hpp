// SPDX-License-Identifier: BSD-3-Clause
// Detects graphs that look like a grid about as long as wide as high, and long ones.
#pragma once

#include "analysis/graph/graph.hpp"

namespace frond {

/// True if all vertices have about as many neighbours and paths through the graph are as long as in a cube of as many vertices, one
/// to three times the cube root: two breadth-first searches, abandoned when they get too far. False for grids in the plane, long
/// bars, several components, and graphs in which a few edges lead everywhere. O(edges).
[[nodiscard]] bool is_like_cube(const Graph& graph);

/// True if a graph that is not empty is connected, and breadth-first levels from one of its ends have at most `width` vertices on
/// average, none many more: chains, bands, stages of optimal control. Two searches, abandoned at the first level that is too wide.
[[nodiscard]] bool is_narrow(const Graph& graph, double width);

}  // namespace frond
