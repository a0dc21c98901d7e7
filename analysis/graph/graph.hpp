// SPDX-License-Identifier: BSD-3-Clause
// The undirected graph of a matrix: what orderings and symbolic elimination work on.
#pragma once

#include <span>
#include <vector>

#include "analysis/graph/permutation.hpp"
#include "frond/matrix.hpp"
#include "matrices/large_vector.hpp"

namespace frond {

/// An undirected graph without loops; every edge is held at both of its ends. A vertex stands for `weights[v]` variables of the
/// matrix that are eliminated one after the other.
struct Graph {
  std::vector<Count> offsets = {0};  ///< length num_vertices() + 1
  LargeVector<Index> neighbors;      ///< of vertex v: [offsets[v], offsets[v + 1])
  std::vector<Index> weights;        ///< length num_vertices()

  [[nodiscard]] Index num_vertices() const { return static_cast<Index>(weights.size()); }
  [[nodiscard]] Index degree(Index vertex) const { return static_cast<Index>(offsets[vertex + 1] - offsets[vertex]); }
  [[nodiscard]] std::span<const Index> neighbors_of(Index vertex) const {
    return {neighbors.data() + offsets[vertex], neighbors.data() + offsets[vertex + 1]};
  }
};

/// Throws UsageError, with the numbers, if the arrays of `pattern` are not a square compressed-column pattern. O(entries).
void check_pattern(const PatternView& pattern);

/// The graph of A + A^T: one vertex of weight 1 per variable, neighbours increasing. O(entries), in whatever order a column holds
/// its rows; duplicates and the diagonal are dropped.
[[nodiscard]] Graph adjacency_graph(const PatternView& pattern);

/// The same graph with its vertices renumbered; neighbours in no particular order.
[[nodiscard]] Graph renumber(const Graph& graph, const Permutation& order);

}  // namespace frond
