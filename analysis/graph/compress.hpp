// SPDX-License-Identifier: BSD-3-Clause
// Compressed graphs, in which one vertex stands for several variables that are eliminated one after the other: indistinguishable
// ones, which have the same closed neighbourhood (Ashcraft 1995, "Compressed graphs and the minimum degree algorithm", SIAM J. Sci.
// Comput. 16), or pairs.
#pragma once

#include <span>
#include <vector>

#include "analysis/graph/graph.hpp"
#include "analysis/graph/groups.hpp"

namespace frond {

/// Groups of the vertices of a graph and the graph between them; of indistinguishable vertices for example:
///
///   path 0-1-2 with a triangle 2-3-4:    3 and 4 have the closed neighbourhood {2, 3, 4}
///   groups {0} {1} {2} {3, 4}            groups.offsets = {0, 1, 2, 3, 5}, groups.members = {0, 1, 2, 3, 4}
struct CompressedGraph {
  Graph graph;    ///< one vertex per group, weighted with the group's size
  Groups groups;  ///< of the vertices, members increasing

  /// Expands an order of the groups to an order of their members.
  [[nodiscard]] std::vector<Index> expand(std::span<const Index> group_perm) const;

  /// The reverse: groups in the order in which their first members appear in an order of the members.
  [[nodiscard]] std::vector<Index> collapse(std::span<const Index> member_perm) const;
};

/// Groups the vertices of a graph with increasing neighbour lists and weights 1. Candidates are adjacent vertices with equal hash
/// of the closed neighbourhood; each is verified entry by entry. O(edges) unless hashes collide.
[[nodiscard]] CompressedGraph compress(const Graph& graph);

/// Pairs of adjacent vertices as groups, every other vertex as a group of its own: partners[v] = the other one of v's pair, or v.
[[nodiscard]] CompressedGraph gather_pairs(const Graph& graph, std::span<const Index> partners);

/// A copy of the graph itself, every vertex a group of its own.
[[nodiscard]] CompressedGraph without_compression(const Graph& graph);

}  // namespace frond
