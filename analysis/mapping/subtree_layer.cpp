// SPDX-License-Identifier: BSD-3-Clause
// Cuts the tree below its roots, and assigns subtrees by longest processing time first.
#include "analysis/mapping/subtree_layer.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "analysis/mapping/node_types.hpp"
#include "analysis/mapping/rank_loads.hpp"
#include "analysis/tree/front_cost.hpp"

namespace frond {
namespace {

/// Returns a lower bound for any assignment: the mean of the ranks, and the heaviest item.
double least_possible(std::span<const double> seconds, Rank num_ranks) {
  const double total = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  return std::max(total / num_ranks, seconds.empty() ? 0 : *std::max_element(seconds.begin(), seconds.end()));
}

/// Items in decreasing order, each to the least loaded of its preferred ranks unless that exceeds the limit; `fullest` becomes the
/// load of the most loaded rank.
std::vector<Rank> longest_first(std::span<const double> seconds, std::span<const RankRange> preferred, Rank num_ranks, double limit,
                                double& fullest) {
  std::vector<std::size_t> order(seconds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return seconds[a] > seconds[b]; });
  RankLoads loads(num_ranks);
  std::vector<Rank> ranks(seconds.size());
  fullest = 0;
  for (const std::size_t item : order) {
    Rank rank = loads.least_loaded(preferred[item]);
    if (loads.load(rank).first + seconds[item] > limit) rank = loads.least_loaded({0, num_ranks});
    loads.add(rank, {seconds[item], 0});
    fullest = std::max(fullest, loads.load(rank).first);
    ranks[item] = rank;
  }
  return ranks;
}

/// Returns the time of a front on as many ranks as pay off.
double shared_seconds(const AssemblyTree& tree, NodeId node, Method method, const MappingOptions& options) {
  const Index order = tree.front_order(node);
  const Index num_pivots = tree.num_pivots(node);
  const FrontCost cost = front_cost(tree, node, method);
  const Rank num_slaves = std::min(options.num_ranks - 1, max_slaves(order, num_pivots, method, options));
  return shared_elimination_seconds(order, num_pivots, num_slaves, method) +
         (front_seconds(cost) - elimination_seconds(cost)) / (num_slaves + 1);
}

double grid_seconds(const AssemblyTree& tree, NodeId root, Method method, const MappingOptions& options) {
  const auto num_ranks = static_cast<Rank>(grid_ranks(options).size());
  return front_seconds(front_cost(tree, root, method)) / grid_shape(tree.front_order(root), num_ranks, options).size();
}

/// Returns the message time of a node outside the subtrees. A node with very many children, a border of small blocks, keeps its
/// master busy with their messages.
double message_seconds(const AssemblyTree& tree, NodeId node, const MappingOptions& options) {
  constexpr double kPartOfChild = 0.3;
  return options.upper_node_seconds * std::max(1.0, kPartOfChild * static_cast<double>(tree.children(node).size()));
}

/// The layer being cut: a heap of subtrees that may be cut, and those that stay whole.
class LayerCutter {
 public:
  LayerCutter(const AssemblyTree& tree, const SubtreeTimes& times, const MappingOptions& options)
      : tree_(tree), times_(times), num_ranks_(options.num_ranks), tolerance_(options.layer_tolerance) {
    for (const NodeId root : tree.roots()) insert(root);
    allowed_excess_ = tolerance_ * heap_seconds_ / num_ranks_;
  }

  [[nodiscard]] SubtreeLayer cut() && {
    while (!heap_.empty() && !is_balanced()) {
      const NodeId top = remove_heaviest();
      if (times_.critical[top] > (1 - tolerance_) * times_.alone[top]) {
        whole_.push_back(top);
      } else {
        for (const NodeId child : tree_.children(top)) insert(child);
      }
    }
    std::vector<NodeId> tops = layer();
    std::sort(tops.begin(), tops.end());
    return {std::move(tops), allowed_excess_};
  }

 private:
  [[nodiscard]] bool is_lighter(NodeId a, NodeId b) const { return times_.alone[a] < times_.alone[b]; }

  void insert(NodeId top) {
    heap_.push_back(top);
    std::push_heap(heap_.begin(), heap_.end(), [this](NodeId a, NodeId b) { return is_lighter(a, b); });
    heap_seconds_ += times_.alone[top];
  }

  NodeId remove_heaviest() {
    std::pop_heap(heap_.begin(), heap_.end(), [this](NodeId a, NodeId b) { return is_lighter(a, b); });
    const NodeId top = heap_.back();
    heap_.pop_back();
    heap_seconds_ -= times_.alone[top];
    ++num_cuts_;
    return top;
  }

  [[nodiscard]] std::vector<NodeId> layer() const {
    std::vector<NodeId> tops = whole_;
    tops.insert(tops.end(), heap_.begin(), heap_.end());
    return tops;
  }

  /// Tries the assignment, but not while one subtree alone exceeds the ranks' mean too far, and only after a cut for every eighth
  /// subtree, so that attempts take O(log) time per cut.
  [[nodiscard]] bool is_balanced() {
    const double heaviest = times_.alone[heap_.front()];
    if (heaviest <= allowed_excess_) return true;
    if (whole_.empty() && heaviest > heap_seconds_ / num_ranks_ + allowed_excess_) return false;
    if (num_cuts_ < next_attempt_) return false;
    next_attempt_ = num_cuts_ + (heap_.size() + whole_.size()) / 8;
    return has_balanced_assignment();
  }

  [[nodiscard]] bool has_balanced_assignment() const {
    std::vector<double> seconds;
    for (const NodeId top : layer()) seconds.push_back(times_.alone[top]);
    std::vector<double> whole;
    for (const NodeId top : whole_) whole.push_back(times_.alone[top]);
    const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / num_ranks_;
    const std::vector<RankRange> all(seconds.size(), {0, num_ranks_});
    double fullest = 0;
    (void)longest_first(seconds, all, num_ranks_, 0, fullest);
    return fullest <= std::max(mean, least_possible(whole, num_ranks_)) + allowed_excess_;
  }

  const AssemblyTree& tree_;
  const SubtreeTimes& times_;
  Rank num_ranks_;
  double tolerance_;
  double allowed_excess_ = 0;
  double heap_seconds_ = 0;
  std::size_t num_cuts_ = 0;  // tried
  std::size_t next_attempt_ = 0;
  std::vector<NodeId> heap_;   // the heaviest first
  std::vector<NodeId> whole_;  // cutting these does not pay off
};

}  // namespace

SubtreeTimes subtree_times(const AssemblyTree& tree, Method method, const MappingOptions& options) {
  const NodeId grid_root = find_grid_root(tree, method, options);
  SubtreeTimes times{subtree_seconds(tree, method), std::vector<double>(tree.num_nodes(), 0.0)};
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const double seconds =
        node == grid_root ? grid_seconds(tree, node, method, options) : shared_seconds(tree, node, method, options);
    times.critical[node] += seconds + message_seconds(tree, node, options);  // so far it was the slowest child's
    if (const NodeId parent = tree.parent(node); parent != kNoParent) {
      times.critical[parent] = std::max(times.critical[parent], std::min(times.alone[node], times.critical[node]));
    }
  }
  return times;
}

SubtreeLayer find_subtree_layer(const AssemblyTree& tree, const SubtreeTimes& times, const MappingOptions& options) {
  return LayerCutter(tree, times, options).cut();
}

std::vector<Rank> assign_to_ranks(std::span<const double> seconds, std::span<const RankRange> preferred, Rank num_ranks,
                                  double allowed_excess) {
  const double limit = least_possible(seconds, num_ranks) + allowed_excess;
  double fullest = 0;
  std::vector<Rank> ranks = longest_first(seconds, preferred, num_ranks, limit, fullest);
  if (fullest <= limit) return ranks;
  const std::vector<RankRange> all(seconds.size(), {0, num_ranks});
  return longest_first(seconds, all, num_ranks, limit, fullest);
}

}  // namespace frond
