// SPDX-License-Identifier: BSD-3-Clause
// Extracts parts of all graphs of a hierarchy.
#include "analysis/graph/graph_hierarchy.hpp"

namespace frond {
namespace {

constexpr Index kAbsent = -1;

// Sets [coarse vertex] = its number among those that stand for numbered vertices; returns their count.
Index number_coarse(std::span<const Index> number, const std::vector<Index>& coarse_of, std::vector<Index>& coarse_number) {
  for (std::size_t vertex = 0; vertex < number.size(); ++vertex) {
    if (number[vertex] >= 0) coarse_number[coarse_of[vertex]] = 0;
  }
  Index count = 0;
  for (Index& coarse : coarse_number) {
    if (coarse >= 0) coarse = count++;
  }
  return count;
}

}  // namespace

void GraphHierarchy::add(Coarsening coarser) {
  graphs_.push_back(std::move(coarser.graph));
  coarse_of_.push_back(std::move(coarser.coarse_of));
}

void GraphHierarchy::drop_coarsest() {
  graphs_.pop_back();
  coarse_of_.pop_back();
}

GraphHierarchy GraphHierarchy::part(std::span<const Index> number, Index num_vertices) const {
  GraphHierarchy part(induced_subgraph(finest(), number, num_vertices));
  std::vector<Index> fine_number;
  for (std::size_t level = 0; level < coarse_of_.size(); ++level) {
    const LevelGraph& fine = part.coarsest();
    std::vector<Index> coarse_number(static_cast<std::size_t>(graphs_[level + 1].num_vertices()), kAbsent);
    const Index num_coarse = number_coarse(number, coarse_of_[level], coarse_number);
    Coarsening coarser{induced_subgraph(graphs_[level + 1], coarse_number, num_coarse), std::vector<Index>(fine.weights.size())};
    std::vector<Index>& weights = coarser.graph.weights;
    weights.assign(weights.size(), 0);
    for (std::size_t vertex = 0; vertex < number.size(); ++vertex) {
      if (number[vertex] < 0) continue;
      const Index coarse = coarse_number[coarse_of_[level][vertex]];
      coarser.coarse_of[number[vertex]] = coarse;
      weights[coarse] += fine.weights[number[vertex]];
    }
    coarser.graph.total_weight = fine.total_weight;
    part.add(std::move(coarser));
    fine_number = std::move(coarse_number);
    number = fine_number;
  }
  return part;
}

}  // namespace frond
