// SPDX-License-Identifier: BSD-3-Clause
// Vertex separators of graphs, found on coarse graphs and refined on finer ones.
#pragma once

#include <array>
#include <stop_token>
#include <vector>

#include "analysis/graph/graph_hierarchy.hpp"

namespace frond {

enum class Side : std::uint8_t { first, second, separator };

/// Each vertex on one side of a separator, or in it; no edge joins the two sides.
struct Separation {
  std::vector<Side> sides;
  std::array<Count, 3> weights = {};  ///< of the vertices of each Side

  [[nodiscard]] Count weight(Side side) const { return weights[static_cast<std::size_t>(side)]; }

  /// Puts a vertex on a side; its neighbours stay where they are.
  void put(const LevelGraph& graph, Index vertex, Side side) {
    weights[static_cast<std::size_t>(sides[vertex])] -= graph.weights[vertex];
    weights[static_cast<std::size_t>(side)] += graph.weights[vertex];
    sides[vertex] = side;
  }
};

/// Returns the weight that one side of a separator should not exceed.
[[nodiscard]] inline Count largest_side(const LevelGraph& graph) {
  constexpr double kLargestShare = 0.6;
  return static_cast<Count>(kLargestShare * static_cast<double>(graph.total_weight));
}

/// Improves a separation by moving vertices out of the separator, and their neighbours on the other side into it, as long as that
/// leads to a lighter separator within some moves (Ashcraft, Liu 1994, "A partition improvement algorithm for generalized nested
/// dissection", Boeing BCSTECH-94-020; Hendrickson, Rothberg 1998, "Improving the run time and quality of nested dissection
/// ordering", SIAM J. Sci. Comput. 20). Sides beyond a balance bound are made lighter first.
void refine(const LevelGraph& graph, Separation& separation);

/// Finds a light separator of the finest graph between sides of about the same weight, by multilevel dissection. Coarser graphs
/// that are too small for it are dropped; where there are none and the graph is not small, some are made and stay. `num_threads`
/// try several coarse separators at the same time; the result does not depend on their number. After a request to stop, the result
/// is not a separator.
[[nodiscard]] Separation find_separator(GraphHierarchy& hierarchy, Random& random, int num_threads,
                                        const std::stop_token& stop = {});

}  // namespace frond
