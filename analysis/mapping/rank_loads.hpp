// SPDX-License-Identifier: BSD-3-Clause
// The loads of ranks while work is mapped to them, and the least loaded rank of a range.
#pragma once

#include <vector>

#include "analysis/mapping/rank_range.hpp"

namespace frond {

/// Two keys, the second for ties of the first.
struct RankLoad {
  double first = 0;
  double second = 0;

  RankLoad& operator+=(const RankLoad& other) {
    first += other.first;
    second += other.second;
    return *this;
  }
  [[nodiscard]] auto operator<=>(const RankLoad&) const = default;
};

/// A segment tree: all operations in O(log num_ranks). Ranges are not empty.
class RankLoads {
 public:
  explicit RankLoads(Rank num_ranks);  ///< all zero

  /// Adds `load` to each rank of the range.
  void add(RankRange range, const RankLoad& load) { add(kTop, all_, range, load); }
  void add(Rank rank, const RankLoad& load) { add({rank, rank + 1}, load); }

  /// The first of the least loaded ranks of the range.
  [[nodiscard]] Rank least_loaded(RankRange range) const { return least(kTop, all_, range).rank; }
  [[nodiscard]] RankLoad load(Rank rank) const { return least(kTop, all_, {rank, rank + 1}).load; }

 private:
  struct Node {
    RankLoad least;    // of the node's ranks, without what was added to nodes above
    RankLoad pending;  // added to all of them
    Rank rank = 0;     // that has it
  };
  struct Found {
    RankLoad load;
    Rank rank;
  };
  static constexpr std::size_t kTop = 1;  // node k has the halves 2 k and 2 k + 1 of its ranks

  void add(std::size_t node, RankRange ranks, RankRange range, const RankLoad& load);
  [[nodiscard]] Found least(std::size_t node, RankRange ranks, RankRange range) const;

  RankRange all_;
  std::vector<Node> nodes_;
};

}  // namespace frond
