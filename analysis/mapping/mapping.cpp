// SPDX-License-Identifier: BSD-3-Clause
// Fills and checks the arrays of the mapping.
#include "analysis/mapping/mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "analysis/mapping/proportional_mapping.hpp"
#include "analysis/mapping/rank_loads.hpp"
#include "analysis/mapping/subtree_layer.hpp"
#include "analysis/tree/front_cost.hpp"
#include "frond/error.hpp"

namespace frond {
namespace {

std::vector<Subtree> place_subtrees(const AssemblyTree& tree, const SubtreeLayer& layer, std::span<const double> seconds,
                                    std::span<const RankRange> ranges, Rank num_ranks) {
  std::vector<double> top_seconds;
  std::vector<RankRange> preferred;
  for (const NodeId top : layer.tops) {
    top_seconds.push_back(seconds[top]);
    preferred.push_back(ranges[top]);
  }
  const std::vector<Rank> ranks = assign_to_ranks(top_seconds, preferred, num_ranks, layer.allowed_excess);
  std::vector<Subtree> subtrees;
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    subtrees.push_back({tree.subtree_begin(layer.tops[k]), layer.tops[k] + 1, ranks[k]});
  }
  return subtrees;
}

/// The nodes outside the subtrees, without masters. There are none with one rank; with more ranks each has at least two candidates.
std::vector<UpperNode> find_upper_nodes(const AssemblyTree& tree, Method method, const std::vector<Subtree>& subtrees,
                                        std::span<const RankRange> ranges, const MappingOptions& options) {
  const NodeId grid_root = find_grid_root(tree, method, options);
  std::vector<UpperNode> upper;
  auto next_subtree = subtrees.begin();
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    if (next_subtree != subtrees.end() && node == next_subtree->node_begin) {
      node = next_subtree->node_end - 1;
      ++next_subtree;
      continue;
    }
    NodeType type = NodeType::sequential;
    if (node == grid_root) {
      type = NodeType::grid_distributed;
    } else if (max_slaves(tree.front_order(node), tree.num_fully_summed(node), method, options) > 0) {
      type = NodeType::row_distributed;
    }
    upper.push_back({node, type, 0, ranges[node]});
  }
  return upper;
}

RootGrid make_grid(const AssemblyTree& tree, NodeId node, const MappingOptions& options) {
  RootGrid grid{node, {}, options.grid_block_size, grid_ranks(options)};
  grid.shape = grid_shape(tree.front_order(node), static_cast<Rank>(grid.ranks.size()), options);
  grid.ranks.resize(grid.shape.size());
  std::sort(grid.ranks.begin(), grid.ranks.end());
  return grid;
}

RankLoad load_of(const FrontCost& cost) { return {cost.entries, cost.flops}; }

/// Chooses the masters of types 1 and 2, and tracks what each rank holds and does.
class MasterChoice {
 public:
  MasterChoice(const AssemblyTree& tree, Method method, Rank num_ranks) : tree_(tree), method_(method), loads_(num_ranks) {}

  void add_subtree(const Subtree& subtree) {
    FrontCost cost;
    for (NodeId node = subtree.node_begin; node < subtree.node_end; ++node) cost += whole_cost(node);
    loads_.add(subtree.rank, load_of(cost));
  }

  void add_grid(const RootGrid& grid) {
    FrontCost share = whole_cost(grid.node);
    share.flops /= grid.shape.size();
    share.entries /= grid.shape.size();
    for (const Rank rank : grid.ranks) loads_.add(rank, load_of(share));
  }

  void choose(UpperNode& node) {
    node.master = loads_.least_loaded(node.candidates);
    loads_.add(node.master, load_of(masters_cost(node)));
    if (node.type != NodeType::row_distributed) return;
    FrontCost share =
        slave_cost(tree_.front_order(node.node), tree_.num_fully_summed(node.node), 0, tree_.cb_order(node.node), method_);
    share.flops /= node.candidates.size() - 1;
    share.entries /= node.candidates.size() - 1;
    for (const RankRange part : {RankRange{node.candidates.begin, node.master}, RankRange{node.master + 1, node.candidates.end}}) {
      if (part.size() > 0) loads_.add(part, load_of(share));
    }
  }

  /// Returns the cost of the master's part of a node of type 1 or 2.
  [[nodiscard]] FrontCost masters_cost(const UpperNode& node) const {
    if (node.type == NodeType::sequential) return whole_cost(node.node);
    return master_cost(tree_.front_order(node.node), tree_.num_fully_summed(node.node), method_);
  }

 private:
  [[nodiscard]] FrontCost whole_cost(NodeId node) const {
    return elimination_cost(tree_.front_order(node), tree_.num_pivots(node), method_);
  }

  const AssemblyTree& tree_;
  Method method_;
  RankLoads loads_;  // factor entries, then flops
};

void choose_masters(const AssemblyTree& tree, Method method, const std::vector<Subtree>& subtrees, const RootGrid& grid,
                    std::vector<UpperNode>& upper, Rank num_ranks) {
  MasterChoice choice(tree, method, num_ranks);
  for (const Subtree& subtree : subtrees) choice.add_subtree(subtree);
  if (grid.node != kNoNode) choice.add_grid(grid);
  std::vector<std::pair<double, std::size_t>> order;  // entries, decreasing
  for (std::size_t k = 0; k < upper.size(); ++k) {
    if (upper[k].type == NodeType::grid_distributed) {
      upper[k].master = grid.ranks.front();
    } else {
      order.emplace_back(-choice.masters_cost(upper[k]).entries, k);
    }
  }
  std::sort(order.begin(), order.end());
  for (const auto& [entries, k] : order) choice.choose(upper[k]);
}

std::vector<Rank> all_ranks(Rank num_ranks) {
  std::vector<Rank> ranks(num_ranks);
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

}  // namespace

Mapping::Mapping(Rank num_ranks, NodeId num_nodes, std::vector<Subtree> subtrees, std::vector<UpperNode> upper_nodes, RootGrid grid)
    : Mapping({num_ranks, all_ranks(num_ranks), num_nodes, std::move(subtrees), std::move(upper_nodes), std::move(grid)}) {}

Mapping::Mapping(MappingParts parts) : parts_(std::move(parts)), place_(parts_.num_nodes) {
  std::size_t subtree = 0;
  std::size_t upper = 0;
  for (NodeId node = 0; node < parts_.num_nodes;) {
    if (subtree < parts_.subtrees.size() && parts_.subtrees[subtree].node_begin == node) {
      const NodeId end = parts_.subtrees[subtree].node_end;
      std::fill(place_.begin() + node, place_.begin() + end, ~static_cast<Index>(subtree++));
      num_of_type_[0] += end - node;
      node = end;
    } else if (upper < parts_.upper_nodes.size() && parts_.upper_nodes[upper].node == node) {
      ++num_of_type_[static_cast<std::size_t>(parts_.upper_nodes[upper].type)];
      place_[node++] = static_cast<Index>(upper++);
    } else {
      throw InternalError(fmt::format("Node {} is mapped neither to a subtree nor to the upper tree.", node));
    }
  }
}

std::span<const Rank> Mapping::candidates(NodeId node) const {
  if (is_in_subtree(node)) return {&subtree_of(node).rank, 1};
  if (node == parts_.grid.node) return parts_.grid.ranks;

  const RankRange& range = upper_node(node).candidates;
  return {std::lower_bound(parts_.members.begin(), parts_.members.end(), range.begin),
          std::lower_bound(parts_.members.begin(), parts_.members.end(), range.end)};
}

Mapping map_tree(const AssemblyTree& tree, Method method, const MappingOptions& options) {
  if (options.num_ranks < 1) {
    throw UsageError(fmt::format("A tree cannot be mapped to {} ranks: there must be one at least.", options.num_ranks));
  }
  const SubtreeTimes times = subtree_times(tree, method, options);
  const SubtreeLayer layer = find_subtree_layer(tree, times, options);
  const std::vector<RankInterval> intervals = proportional_intervals(tree, times.alone, options.num_ranks);
  const std::vector<RankRange> ranges = candidate_ranges(tree, intervals, options.num_ranks, options.candidate_relaxation);
  std::vector<Subtree> subtrees = place_subtrees(tree, layer, times.alone, ranges, options.num_ranks);
  std::vector<UpperNode> upper = find_upper_nodes(tree, method, subtrees, ranges, options);
  RootGrid grid;
  for (const UpperNode& node : upper) {
    if (node.type == NodeType::grid_distributed) grid = make_grid(tree, node.node, options);
  }
  choose_masters(tree, method, subtrees, grid, upper, options.num_ranks);
  return {options.num_ranks, tree.num_nodes(), std::move(subtrees), std::move(upper), std::move(grid)};
}

}  // namespace frond
