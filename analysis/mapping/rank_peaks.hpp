// SPDX-License-Identifier: BSD-3-Clause
// Tracks the highest load that each rank ever had, while loads are added to and removed from ranges of ranks.
#pragma once

#include <vector>

#include "analysis/mapping/rank_range.hpp"

namespace frond {

/// A segment tree that pushes sums down lazily, together with their highest prefix: O(log num_ranks) per change.
class RankPeaks {
 public:
  explicit RankPeaks(Rank num_ranks);  ///< all zero

  /// Adds `amount`, which may be negative, to each rank of the range.
  void add(RankRange range, double amount) {
    if (range.size() > 0) add(kTop, all_, range, {amount, amount > 0 ? amount : 0});
  }
  void add(Rank rank, double amount) { add({rank, rank + 1}, amount); }

  /// Returns [rank] = the largest value so far, at least 0.
  [[nodiscard]] std::vector<double> peaks() &&;

 private:
  struct Change {
    double sum = 0;
    double highest = 0;  // of the sums over the first changes, the empty sum included
  };
  static constexpr std::size_t kTop = 1;  // node k has the halves 2 k and 2 k + 1 of its ranks

  void add(std::size_t node, RankRange ranks, RankRange range, const Change& change);
  void apply(std::size_t node, const Change& change);
  void push_down(std::size_t node);

  Rank num_ranks_;
  RankRange all_;
  std::vector<Change> changes_;  // of a node's ranks, older than those above
};

}  // namespace frond
