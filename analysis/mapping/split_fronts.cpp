// SPDX-License-Identifier: BSD-3-Clause
// Computes the sizes of the pieces, and builds the tree of them.
#include "analysis/mapping/split_fronts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "analysis/mapping/node_types.hpp"
#include "analysis/mapping/proportional_mapping.hpp"
#include "analysis/tree/front_cost.hpp"

namespace frond {
namespace {

/// How one front of the tree is cut.
class FrontCutter {
 public:
  /// `share`: ranks that work on the front, its master included.
  FrontCutter(Method method, const MappingOptions& options, double share)
      : method_(method), options_(options), most_slaves_(static_cast<Rank>(std::ceil(share)) - 1) {}

  /// Returns the fully summed variables of the pieces, from the bottom to the top; one piece if cutting does not pay off.
  [[nodiscard]] std::vector<Index> pieces(Index order, Index num_fully_summed) const {
    std::vector<Index> pieces;
    double seconds = 0;
    for (Index left = num_fully_summed, m = order; left > 0;) {
      const Index piece = first_piece(m, left);
      seconds += piece_seconds(m, piece) + (piece < left ? transfer_seconds(m, piece) : 0);
      pieces.push_back(piece);
      left -= piece;
      m -= piece;
    }
    if (pieces.size() > 1 && seconds >= piece_seconds(order, num_fully_summed)) return {num_fully_summed};
    return pieces;
  }

 private:
  [[nodiscard]] Rank num_slaves(Index order, Index piece) const {
    return std::min(most_slaves_, max_slaves(order, piece, method_, options_));
  }

  [[nodiscard]] bool master_keeps_up(Index order, Index piece) const {
    // counted as if all rows of the front could go to slaves: then the ratio grows with the piece
    const Rank slaves = std::min<Rank>(most_slaves_, order / std::max<Index>(options_.min_slave_rows, 1));
    const double slave_flops = slave_cost(order, piece, 0, order - piece, method_).flops / slaves;
    return master_cost(order, piece, method_).flops <= options_.max_master_ratio * slave_flops;
  }

  /// Returns the largest piece whose master keeps up, by bisection; all remaining variables if the front is too small for slaves.
  [[nodiscard]] Index first_piece(Index order, Index left) const {
    const Index smallest = std::max<Index>(options_.min_split_pivots, 1);
    if (left < 2 * smallest || num_slaves(order, smallest) < 1 || master_keeps_up(order, left)) return left;
    Index keeps_up = smallest;  // or is the smallest piece allowed
    Index lags = left;
    while (lags - keeps_up > 1) {
      const Index middle = keeps_up + (lags - keeps_up) / 2;
      (master_keeps_up(order, middle) ? keeps_up : lags) = middle;
    }
    return std::min(keeps_up, left - smallest);
  }

  [[nodiscard]] double piece_seconds(Index order, Index piece) const {
    return shared_elimination_seconds(order, piece, num_slaves(order, piece), method_);
  }

  /// Returns the time to send the piece's contribution block, by all of its slaves at the same time.
  [[nodiscard]] double transfer_seconds(Index order, Index piece) const {
    const double entries = static_cast<double>(cb_entries(order - piece, is_symmetric(method_)));
    return options_.upper_node_seconds + options_.entry_transfer_seconds * entries / std::max(num_slaves(order, piece), 1);
  }

  Method method_;
  const MappingOptions& options_;
  Rank most_slaves_;
};

/// Appends nodes in postorder and makes a tree of them.
class TreeBuilder {
 public:
  explicit TreeBuilder(const AssemblyTree& tree) : tree_(tree), bottom_(tree.num_nodes()) {}

  /// Appends the pieces of `node`.
  void append(NodeId node, const std::vector<Index>& pieces) {
    bottom_[node] = static_cast<NodeId>(parent_.size());
    Index left = tree_.num_fully_summed(node);
    for (const Index piece : pieces) {
      left -= piece;
      variable_offsets_.push_back(variable_offsets_.back() + piece);
      for (Index k = 0; k < left; ++k) cb_rows_.push_back(variable_offsets_.back() + k);
      cb_rows_.insert(cb_rows_.end(), tree_.cb_rows(node).begin(), tree_.cb_rows(node).end());
      cb_offsets_.push_back(static_cast<Count>(cb_rows_.size()));
      parent_.push_back(left > 0 ? static_cast<NodeId>(parent_.size()) + 1 : kNoParent);
    }
  }

  [[nodiscard]] AssemblyTree build() && {
    for (NodeId node = 0; node < tree_.num_nodes(); ++node) {
      const NodeId top = (node + 1 < tree_.num_nodes() ? bottom_[node + 1] : static_cast<NodeId>(parent_.size())) - 1;
      if (tree_.parent(node) != kNoParent) parent_[top] = bottom_[tree_.parent(node)];
    }
    const NodeId schur_node = tree_.schur_node() == kNoNode ? kNoNode : bottom_[tree_.schur_node()];
    return {std::move(parent_), std::move(variable_offsets_), std::move(cb_offsets_), std::move(cb_rows_), schur_node};
  }

 private:
  const AssemblyTree& tree_;
  std::vector<NodeId> bottom_;  // first piece of each node
  std::vector<NodeId> parent_;
  std::vector<Index> variable_offsets_ = {0};
  std::vector<Count> cb_offsets_ = {0};
  std::vector<Index> cb_rows_;
};

}  // namespace

AssemblyTree split_large_fronts(AssemblyTree tree, Method method, const MappingOptions& options) {
  if (options.num_ranks < 2 || !options.split_fronts) return tree;
  const NodeId grid_root = find_grid_root(tree, method, options);
  const std::vector<RankInterval> intervals = proportional_intervals(tree, subtree_seconds(tree, method), options.num_ranks);
  TreeBuilder builder(tree);
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const FrontCutter cutter(method, options, intervals[node].width());
    const Index num_fully_summed = tree.num_fully_summed(node);
    const bool stays_whole = node == grid_root || node == tree.schur_node();
    builder.append(node,
                   stays_whole ? std::vector<Index>{num_fully_summed} : cutter.pieces(tree.front_order(node), num_fully_summed));
  }
  return std::move(builder).build();
}

}  // namespace frond
