// SPDX-License-Identifier: BSD-3-Clause
// Sums costs over nodes, and tracks the ranks' peaks in a run through the tree.
#include "analysis/mapping/mapping_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/mapping/rank_peaks.hpp"
#include "analysis/tree/front_cost.hpp"

namespace frond {
namespace {

/// The candidates of a type 2 node that may become slaves, in two ranges, one of which may be empty.
struct Slaves {
  RankRange below_master;
  RankRange above_master;
  Rank size;  // excluding ranks that take no part, whose estimate is not needed
};

Slaves slaves_of(const Mapping& mapping, NodeId node) {
  const RankRange& range = mapping.upper_node(node).candidates;
  const Rank master = mapping.master(node);
  return {{range.begin, master}, {master + 1, range.end}, static_cast<Rank>(mapping.candidates(node).size()) - 1};
}

/// False also for a finished front whose candidates have left, except for its master, which has their parts.
bool has_slaves(const Mapping& mapping, NodeId node) {
  return mapping.type(node) == NodeType::row_distributed && mapping.candidates(node).size() > 1;
}

/// Flops and factor entries of each rank; equal parts for ranges of ranks are noted as differences of neighbouring ranks.
class CostSums {
 public:
  explicit CostSums(Rank num_ranks) : own_(num_ranks), differences_(static_cast<std::size_t>(num_ranks) + 1) {}

  void add(RankRange range, const FrontCost& cost) {
    if (range.size() == 1) {
      own_[range.begin] += cost;
      return;
    }
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

/// The inputs of the estimate.
struct Problem {
  const AssemblyTree& tree;
  const Mapping& mapping;
  Method method;
  KeptFactors kept;
};

/// Cost of a node's elimination. A Schur complement is not eliminated and stays as a square, except for the upper triangle that
/// Cholesky leaves out on one rank.
FrontCost whole_cost(const Problem& problem, NodeId node) {
  const AssemblyTree& tree = problem.tree;
  if (node != tree.schur_node()) return elimination_cost(tree.front_order(node), tree.num_pivots(node), problem.method);
  const auto order = static_cast<double>(tree.front_order(node));
  const bool is_triangle = problem.method == Method::cholesky && problem.mapping.type(node) == NodeType::sequential;
  return {0, is_triangle ? order * (order + 1) / 2 : order * order};
}

/// Calls take(ranks, cost) for the parts of a node's elimination; each of the ranks has all of that cost.
template <class Take>
void for_each_part(const Problem& problem, NodeId node, const Take& take) {
  const AssemblyTree& tree = problem.tree;
  const Mapping& mapping = problem.mapping;
  const FrontCost whole = whole_cost(problem, node);
  const Rank master = mapping.master(node);
  if (mapping.type(node) == NodeType::grid_distributed) {
    const RootGrid& grid = mapping.root_grid();
    for (const Rank rank : grid.ranks) take(RankRange{rank, rank + 1}, divided(whole, grid.shape.size()));
  } else if (!has_slaves(mapping, node)) {
    take(RankRange{master, master + 1}, whole);
  } else {
    const Index order = tree.front_order(node);
    const Index p = tree.num_fully_summed(node);
    const Slaves slaves = slaves_of(mapping, node);
    const FrontCost share = divided(slave_cost(order, p, 0, order - p, problem.method), slaves.size);
    take(RankRange{master, master + 1}, master_cost(order, p, problem.method));
    take(slaves.below_master, share);
    take(slaves.above_master, share);
  }
}

/// True if all that is left of a node is kept. KeptFactors::backward drops half of LU's factors, but a root on a grid is kept as it
/// is, and a Schur complement always.
bool is_kept_whole(const Problem& problem, NodeId node) {
  if (problem.kept == KeptFactors::all || node == problem.tree.schur_node()) return true;
  if (problem.kept == KeptFactors::none) return false;
  return problem.method != Method::lu || problem.mapping.type(node) == NodeType::grid_distributed;
}

/// The same for the parts that are kept, whose flops do not count. Half of the factors are M, with its diagonal, which masters
/// hold.
template <class Take>
void for_each_kept_part(const Problem& problem, NodeId node, const Take& take) {
  if (is_kept_whole(problem, node)) {
    for_each_part(problem, node, take);
    return;
  }
  if (problem.kept == KeptFactors::none) return;
  const auto p = static_cast<double>(problem.tree.num_pivots(node));
  const Rank master = problem.mapping.master(node);
  take(RankRange{master, master + 1}, FrontCost{0, p * problem.tree.front_order(node) - p * (p - 1) / 2});
}

/// Calls visit(node) in the order of the run.
template <class Visit>
void for_each_node(const Mapping& mapping, const Visit& visit) {
  for (const Subtree& subtree : mapping.subtrees()) {
    for (NodeId node = subtree.node_begin; node < subtree.node_end; ++node) visit(node);
  }
  for (const UpperNode& upper : mapping.upper_nodes()) visit(upper.node);
}

/// Returns for each rank the sum over all nodes of the costs of its parts, which visit_parts(problem, node, take) visits.
template <class VisitParts>
std::vector<FrontCost> rank_costs(const Problem& problem, const VisitParts& visit_parts) {
  CostSums sums(problem.mapping.num_ranks());
  for_each_node(problem.mapping, [&](NodeId node) {
    visit_parts(problem, node, [&](RankRange ranks, const FrontCost& cost) { sums.add(ranks, cost); });
  });
  return std::move(sums).sums();
}

/// Tracks the contribution blocks of all ranks, and the parts of fronts that are not kept, during a run through the tree.
class ActiveMemory {
 public:
  explicit ActiveMemory(const Problem& problem) : problem_(problem), peaks_(problem.mapping.num_ranks()) {}

  /// Adds the node's block and its front, then removes its children's blocks, and the front.
  void visit(NodeId node) {
    change(node, 1);
    change_front(node, 1);
    for (const NodeId child : problem_.tree.children(node)) change(child, -1);
    change_front(node, -1);
  }

  [[nodiscard]] std::vector<double> peaks() && { return std::move(peaks_).peaks(); }

 private:
  void change(NodeId node, double sign) {
    const Mapping& mapping = problem_.mapping;
    const double entries = sign * static_cast<double>(cb_entries(problem_.tree.cb_order(node), is_symmetric(problem_.method)));
    if (!has_slaves(mapping, node)) {
      peaks_.add(mapping.master(node), entries);  // a root of type 3 has none
    } else {
      const Slaves slaves = slaves_of(mapping, node);
      peaks_.add(slaves.below_master, entries / slaves.size);
      peaks_.add(slaves.above_master, entries / slaves.size);
    }
  }

  void change_front(NodeId node, double sign) {
    if (is_kept_whole(problem_, node)) return;
    const bool is_on_grid = problem_.mapping.type(node) == NodeType::grid_distributed;
    for_each_part(problem_, node, [&](RankRange ranks, const FrontCost& cost) { peaks_.add(ranks, sign * cost.entries); });
    const bool is_square = problem_.method == Method::ldlt || problem_.method == Method::ldlh;  // above the diagonal, too
    if (is_square && !is_on_grid) {
      const auto p = static_cast<double>(problem_.tree.num_pivots(node));
      peaks_.add(problem_.mapping.master(node), sign * p * (p - 1) / 2);
    }
  }

  const Problem& problem_;
  RankPeaks peaks_;  // in entries
};

std::vector<double> peak_active_entries(const Problem& problem) {
  ActiveMemory memory(problem);
  for_each_node(problem.mapping, [&](NodeId node) { memory.visit(node); });
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

MappingEstimate estimate_mapping(const AssemblyTree& tree, const Mapping& mapping, Method method, Count scalar_bytes,
                                 KeptFactors kept) {
  const Problem problem{tree, mapping, method, kept};
  const auto parts = [](const Problem& what, NodeId node, const auto& take) { for_each_part(what, node, take); };
  const auto kept_parts = [](const Problem& what, NodeId node, const auto& take) { for_each_kept_part(what, node, take); };
  const std::vector<FrontCost> costs = rank_costs(problem, parts);
  const std::vector<FrontCost> kept_costs = rank_costs(problem, kept_parts);
  const std::vector<double> peaks = peak_active_entries(problem);
  const auto bytes = [&](double entries) { return static_cast<Count>(std::llround(entries * static_cast<double>(scalar_bytes))); };
  MappingEstimate estimate;
  for (std::size_t rank = 0; rank < costs.size(); ++rank) {
    estimate.ranks.push_back({costs[rank].flops, bytes(kept_costs[rank].entries), bytes(peaks[rank])});
  }
  estimate.flops = spread_of(estimate.ranks, [](const RankEstimate& rank) { return rank.flops; });
  estimate.factor_bytes =
      spread_of(estimate.ranks, [](const RankEstimate& rank) { return static_cast<double>(rank.factor_bytes); });
  estimate.peak_active_bytes =
      spread_of(estimate.ranks, [](const RankEstimate& rank) { return static_cast<double>(rank.peak_active_bytes); });
  return estimate;
}

}  // namespace frond
