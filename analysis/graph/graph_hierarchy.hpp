// SPDX-License-Identifier: BSD-3-Clause
// A graph and the coarser graphs made from it.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "analysis/graph/level_graph.hpp"

namespace frond {

/// Graphs from the finest to the coarsest. Where an edge joins two vertices, the coarse vertices that stand for them are also
/// joined, or are the same.
class GraphHierarchy {
 public:
  GraphHierarchy() = default;
  explicit GraphHierarchy(LevelGraph finest) { graphs_.push_back(std::move(finest)); }

  [[nodiscard]] int num_levels() const { return static_cast<int>(graphs_.size()); }
  [[nodiscard]] const LevelGraph& graph(int level) const { return graphs_[level]; }
  [[nodiscard]] const LevelGraph& finest() const { return graphs_.front(); }
  [[nodiscard]] const LevelGraph& coarsest() const { return graphs_.back(); }

  /// [vertex of graph(level)] = the one of graph(level + 1) that stands for it.
  [[nodiscard]] const std::vector<Index>& coarse_of(int level) const { return coarse_of_[level]; }

  /// Appends the coarsening of coarsest().
  void add(Coarsening coarser);
  /// Requires at least two levels.
  void drop_coarsest();

  /// Returns the parts of all graphs for the vertices of the finest with number[v] >= 0, numbered like that from 0 in increasing
  /// order. Coarser vertices weigh what is left of them; edges between them stay if both do, whether or not the finer edges that
  /// they stood for are left. Coarsening the part itself would take longer without better separators.
  [[nodiscard]] GraphHierarchy part(std::span<const Index> number, Index num_vertices) const;

 private:
  std::vector<LevelGraph> graphs_;
  std::vector<std::vector<Index>> coarse_of_;
};

}  // namespace frond
