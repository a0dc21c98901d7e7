// SPDX-License-Identifier: BSD-3-Clause
// The graphs of multilevel dissection, and their coarsening.
#pragma once

#include <random>
#include <span>
#include <vector>

#include "analysis/graph/graph.hpp"

namespace frond {

/// The random choices of one subproblem: its results depend on its seed alone, not on what other threads do.
using Random = std::mt19937_64;

/// A graph whose edges have weights, too: how many edges of the finest graph each stands for.
struct LevelGraph : Graph {
  LargeVector<Index> edge_weights;  ///< like `neighbors`; empty: all 1
  Count total_weight = 0;           ///< of the vertices

  [[nodiscard]] Index edge_weight(Count position) const { return edge_weights.empty() ? 1 : edge_weights[position]; }
};

/// Returns the given vertices, numbered from 0 in that order, and the edges between them.
[[nodiscard]] LevelGraph induced_subgraph(const Graph& graph, std::span<const Index> vertices);

/// Returns the vertices with number[v] >= 0, numbered like that from 0 in increasing order, and the edges between them.
[[nodiscard]] LevelGraph induced_subgraph(const LevelGraph& graph, std::span<const Index> number, Index num_vertices);

struct Coarsening {
  LevelGraph graph;
  std::vector<Index> coarse_of;  ///< the vertex of `graph` that stands for a vertex of the finer graph
};

/// Joins pairs of vertices: neighbours along heavy edges, and where many remain single, vertices with a common neighbour (LaSalle
/// et al. 2015, "Improving graph partitioning for modern graphs and architectures", IA3). No vertex becomes heavier than
/// `max_weight` this way.
[[nodiscard]] Coarsening coarsen(const LevelGraph& graph, Count max_weight, Random& random);

}  // namespace frond
