// SPDX-License-Identifier: BSD-3-Clause
// Sums over nodes, and a run through the tree that keeps the ranks' peaks.
#include "analysis/mapping_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/front_cost.hpp"
#include "analysis/rank_peaks.hpp"

namespace frond {
namespace {

/// The candidates of a type 2 node that may become slaves, in two ranges of which one may be empty.
struct Slaves {
  RankRange below_master;
  RankRange above_master;

  [[nodiscard]] Rank size() const { return below_master.size() + above_master.size(); }
};

Slaves slaves_of(const UpperNode& node) { return {{node.candidates.begin, node.master}, {node.master + 1, node.candidates.end}}; }

/// Flops and factor entries of each rank; equal parts for ranges of ranks are noted as differences of neighbouring ranks.
class CostSums {
 public:
  explicit CostSums(Rank num_ranks) : own_(num_ranks), differences_(static_cast<std::size_t>(num_ranks) + 1) {}

  void add(Rank rank, const FrontCost& cost) { own_[rank] += cost; }

  void add(RankRange range, const FrontCost& cost) {
    differences_[range.begin] += cost;
    differences_[range.end] += {-cost.flops, -cost.entries};
  }

  [[nodiscard]] std::vector<FrontCost> sums() && {
    FrontCost everybody;
    for (std::size_t rank = 0; rank < own_.size(); ++rank) {
      everybody += differences_[rank];
      own_[rank] += everybody;
    }
    return std::move(own_);
  }

 private:
  std::vector<FrontCost> own_;
  std::vector<FrontCost> differences_;
};

FrontCost divided(FrontCost cost, Rank parts) {
  cost.flops /= parts;
  cost.entries /= parts;
  return cost;
}

std::vector<FrontCost> rank_costs(const AssemblyTree& tree, const Mapping& mapping, Method method) {
  CostSums sums(mapping.num_ranks());
  const auto whole = [&](NodeId node) { return elimination_cost(tree.front_order(node), tree.num_pivots(node), method); };
  for (const Subtree& subtree : mapping.subtrees()) {
    for (NodeId node = subtree.node_begin; node < subtree.node_end; ++node) sums.add(subtree.rank, whole(node));
  }
  for (const UpperNode& upper : mapping.upper_nodes()) {
    const Index order = tree.front_order(upper.node);
    const Index num_fully_summed = tree.num_fully_summed(upper.node);
    if (upper.type == NodeType::sequential) {
      sums.add(upper.master, whole(upper.node));
    } else if (upper.type == NodeType::grid_distributed) {
      const RootGrid& grid = mapping.root_grid();
      for (const Rank rank : grid.ranks) sums.add(rank, divided(whole(upper.node), grid.shape.size()));
    } else {
      const Slaves slaves = slaves_of(upper);
      const FrontCost share = divided(slave_cost(order, num_fully_summed, 0, order - num_fully_summed, method), slaves.size());
      sums.add(upper.master, master_cost(order, num_fully_summed, method));
      sums.add(slaves.below_master, share);
      sums.add(slaves.above_master, share);
    }
  }
  return std::move(sums).sums();
}

/// Contribution blocks of all ranks while the tree is worked through.
class ActiveMemory {
 public:
  ActiveMemory(const AssemblyTree& tree, const Mapping& mapping, Method method)
      : tree_(tree), mapping_(mapping), method_(method), peaks_(mapping.num_ranks()) {}

  /// The node's block appears, then its children's go.
  void visit(NodeId node) {
    change(node, 1);
    for (const NodeId child : tree_.children(node)) change(child, -1);
  }

  [[nodiscard]] std::vector<double> peaks() && { return std::move(peaks_).peaks(); }

 private:
  void change(NodeId node, double sign) {
    const double entries = sign * static_cast<double>(cb_entries(tree_.cb_order(node), is_symmetric(method_)));
    if (mapping_.type(node) != NodeType::row_distributed) {
      peaks_.add(mapping_.master(node), entries);  // a root of type 3 has none
    } else {
      const Slaves slaves = slaves_of(mapping_.upper_node(node));
      peaks_.add(slaves.below_master, entries / slaves.size());
      peaks_.add(slaves.above_master, entries / slaves.size());
    }
  }

  const AssemblyTree& tree_;
  const Mapping& mapping_;
  Method method_;
  RankPeaks peaks_;  // in entries
};

std::vector<double> peak_active_entries(const AssemblyTree& tree, const Mapping& mapping, Method method) {
  ActiveMemory memory(tree, mapping, method);
  for (const Subtree& subtree : mapping.subtrees()) {
    for (NodeId node = subtree.node_begin; node < subtree.node_end; ++node) memory.visit(node);
  }
  for (const UpperNode& upper : mapping.upper_nodes()) memory.visit(upper.node);
  return std::move(memory).peaks();
}

template <class Value>
RankSpread spread_of(const std::vector<RankEstimate>& ranks, Value value) {
  RankSpread spread{value(ranks.front()), 0, value(ranks.front())};
  for (const RankEstimate& rank : ranks) {
    spread.least = std::min(spread.least, value(rank));
    spread.largest = std::max(spread.largest, value(rank));
    spread.mean += value(rank) / static_cast<double>(ranks.size());
  }
  return spread;
}

}  // namespace

MappingEstimate estimate_mapping(const AssemblyTree& tree, const Mapping& mapping, Method method, Count scalar_bytes) {
  const std::vector<FrontCost> costs = rank_costs(tree, mapping, method);
  const std::vector<double> peaks = peak_active_entries(tree, mapping, method);
  const auto bytes = [&](double entries) { return static_cast<Count>(std::llround(entries * static_cast<double>(scalar_bytes))); };
  MappingEstimate estimate;
  for (std::size_t rank = 0; rank < costs.size(); ++rank) {
    estimate.ranks.push_back({costs[rank].flops, bytes(costs[rank].entries), bytes(peaks[rank])});
  }
  estimate.flops = spread_of(estimate.ranks, [](const RankEstimate& rank) { return rank.flops; });
  estimate.factor_bytes =
      spread_of(estimate.ranks, [](const RankEstimate& rank) { return static_cast<double>(rank.factor_bytes); });
  estimate.peak_active_bytes =
      spread_of(estimate.ranks, [](const RankEstimate& rank) { return static_cast<double>(rank.peak_active_bytes); });
  return estimate;
}

}  // namespace frond
