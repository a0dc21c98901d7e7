// SPDX-License-Identifier: BSD-3-Clause
// A graph and the coarser ones that were made of it.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "analysis/graph/level_graph.hpp"

namespace frond {

/// Graphs from the finest to the coarsest. Where an edge joins two vertices, those that stand for them are joined, too, or the
/// same.
class GraphHierarchy {
 public:
  GraphHierarchy() = default;
  explicit GraphHierarchy(LevelGraph finest) { graphs_.push_back(std::move(finest)); }

  [[nodiscard]] int num_levels() const { return static_cast<int>(graphs_.size()); }
  [[nodiscard]] const LevelGraph& graph(int level) const { return graphs_[static_cast<std::size_t>(level)]; }
  [[nodiscard]] const LevelGraph& finest() const { return graphs_.front(); }
  [[nodiscard]] const LevelGraph& coarsest() const { return graphs_.back(); }

  /// [vertex of graph(level)] = the one of graph(level + 1) that stands for it.
  [[nodiscard]] const std::vector<Index>& coarse_of(int level) const { return coarse_of_[static_cast<std::size_t>(level)]; }

  /// Takes what coarsest() was made into.
  void add(Coarsening coarser);
  /// Needs two levels or more.
  void drop_coarsest();

  /// What is left of all graphs for the vertices of the finest with number[v] >= 0, numbered so from 0 in increasing order. Coarser
  /// vertices weigh what is left of them; edges between them stay if both do, whether or not the finer ones that they stood for are
  /// left. Coarsening the part itself would take longer, and lead to separators that are no better.
  [[nodiscard]] GraphHierarchy part(std::span<const Index> number, Index num_vertices) const;

 private:
  std::vector<LevelGraph> graphs_;
  std::vector<std::vector<Index>> coarse_of_;
};

}  // namespace frond
