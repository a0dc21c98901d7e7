// SPDX-License-Identifier: BSD-3-Clause
// Merges fronts by predicted time, with a bound on explicit zeros.
#include "analysis/tree/amalgamate.hpp"

#include <algorithm>

#include "analysis/graph/forest.hpp"
#include "analysis/ordering/elimination.hpp"

namespace frond {
namespace {

/// The fronts while they grow: `merged_into[s]` is the parent that absorbed s, or s itself.
class Merger {
 public:
  Merger(const SupernodeTree& supernodes, Symmetry symmetry, const AmalgamationOptions& options)
      : symmetry_(symmetry),
        options_(options),
        num_fully_summed_(supernodes.num_fully_summed),
        cb_order_(supernodes.cb_order),
        num_zeros_(supernodes.parent.size(), 0),
        merged_into_(supernodes.parent.size()),
        seconds_(supernodes.parent.size()) {
    for (Index s = 0; s < supernodes.num_supernodes(); ++s) {
      merged_into_[s] = s;
      seconds_[s] = predicted_seconds(num_fully_summed_[s], cb_order_[s], symmetry, options);
    }
  }

  /// Merges `child` into `parent` if one front is faster than two and its explicit zeros stay within the bound.
  void try_merge(Index child, Index parent) {
    try_merge(child, parent, num_fully_summed_[parent] + cb_order_[parent] - cb_order_[child]);
  }

  /// The same for a leaf and its next twin that is not merged yet: their pivots have no entry in common.
  void try_merge_twins(Index leaf, const SupernodeTree& supernodes) {
    const auto is_apart = [this](Index supernode) { return merged_into_[supernode] == supernode; };
    if (!is_apart(leaf)) return;
    Index twin = supernodes.next_twin[leaf];
    while (twin != kNoTwin && !is_apart(twin)) twin = supernodes.next_twin[twin];
    if (twin != kNoTwin) try_merge(leaf, twin, num_fully_summed_[twin]);
  }

  /// The fronts that remain, numbered in the order of their topmost supernodes.
  [[nodiscard]] FrontTree fronts(const std::vector<Index>& supernode_parent) const {
    FrontTree tree;
    const Index num_supernodes = static_cast<Index>(merged_into_.size());
    tree.front_of.resize(num_supernodes);
    for (Index s = 0; s < num_supernodes; ++s) {
      if (merged_into_[s] != s) continue;
      tree.front_of[s] = static_cast<Index>(tree.cb_order.size());
      tree.num_fully_summed.push_back(num_fully_summed_[s]);
      tree.cb_order.push_back(cb_order_[s]);
    }
    tree.parent.resize(tree.cb_order.size());
    for (Index s = num_supernodes - 1; s >= 0; --s) {
      if (merged_into_[s] != s) {
        tree.front_of[s] = tree.front_of[merged_into_[s]];
      } else {
        tree.parent[tree.front_of[s]] = supernode_parent[s] == kNoParent ? kNoParent : tree.front_of[supernode_parent[s]];
      }
    }
    return tree;
  }

 private:
  // `new_rows` of each of the child's columns were zero before.
  void try_merge(Index child, Index parent, Count new_rows) {
    const Index merged_pivots = num_fully_summed_[child] + num_fully_summed_[parent];
    const Count zeros = num_zeros_[child] + num_zeros_[parent] + new_rows * num_fully_summed_[child];
    const double entries = sum_of_counts(merged_pivots + cb_order_[parent], merged_pivots);
    if (zeros > options_.free_zeros && static_cast<double>(zeros) > options_.max_zero_fraction * entries) return;
    const double merged_seconds = predicted_seconds(merged_pivots, cb_order_[parent], symmetry_, options_);
    if (merged_seconds > seconds_[child] + seconds_[parent]) return;
    num_fully_summed_[parent] = merged_pivots;
    num_zeros_[parent] = zeros;
    seconds_[parent] = merged_seconds;
    merged_into_[child] = parent;
  }

  Symmetry symmetry_;
  AmalgamationOptions options_;
  std::vector<Index> num_fully_summed_;
  std::vector<Index> cb_order_;
  std::vector<Count> num_zeros_;
  std::vector<Index> merged_into_;
  std::vector<double> seconds_;
};

}  // namespace

double predicted_seconds(Index num_fully_summed, Index cb_order, Symmetry symmetry, const AmalgamationOptions& options) {
  const Index front_order = num_fully_summed + cb_order;
  const double triangles = symmetry == Symmetry::general ? 2 : 1;
  const double entries = triangles * sum_of_counts(front_order, front_order);
  const double flops = triangles * sum_of_squared_counts(front_order, num_fully_summed);
  return options.front_seconds + options.entry_seconds * entries + options.flop_seconds * flops;
}

FrontTree amalgamate(const SupernodeTree& supernodes, Symmetry symmetry, const AmalgamationOptions& options) {
  Merger merger(supernodes, symmetry, options);
  if (options.enabled) {
    Forest forest = make_forest(supernodes.parent);
    const Index num_parents = supernodes.num_supernodes() - (supernodes.keeps_last ? 1 : 0);
    for (Index parent = 0; parent < num_parents; ++parent) {
      // The child with the most rows adds the fewest zeros, and every merge makes the next one more expensive.
      const auto children = forest.children.of(parent);
      std::sort(children.begin(), children.end(), [&](Index a, Index b) {
        return supernodes.cb_order[a] != supernodes.cb_order[b] ? supernodes.cb_order[a] > supernodes.cb_order[b] : a < b;
      });
      for (const Index child : children) merger.try_merge(child, parent);
    }
    for (Index leaf = 0; leaf < static_cast<Index>(supernodes.next_twin.size()); ++leaf) merger.try_merge_twins(leaf, supernodes);
  }
  FrontTree fronts = merger.fronts(supernodes.parent);
  fronts.keeps_last = supernodes.keeps_last;
  return fronts;
}

}  // namespace frond
