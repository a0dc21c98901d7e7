// SPDX-License-Identifier: BSD-3-Clause
// A segment tree with sums that stay where they were added.
#include "analysis/mapping/rank_loads.hpp"

#include <bit>

namespace frond {

RankLoads::RankLoads(Rank num_ranks)
    : all_{0, static_cast<Rank>(std::bit_ceil(static_cast<std::uint32_t>(num_ranks)))},
      nodes_(2 * static_cast<std::size_t>(all_.end)) {
  for (Rank rank = 0; rank < all_.end; ++rank) nodes_[all_.end + rank].rank = rank;
  for (std::size_t node = nodes_.size() / 2 - 1; node >= kTop; --node) nodes_[node].rank = nodes_[2 * node].rank;
}

void RankLoads::add(std::size_t node, RankRange ranks, RankRange range, const RankLoad& load) {
  Node& here = nodes_[node];
  if (range.begin <= ranks.begin && ranks.end <= range.end) {
    here.least += load;
    here.pending += load;
    return;
  }
  const Rank middle = ranks.begin + ranks.size() / 2;
  if (range.begin < middle) add(2 * node, {ranks.begin, middle}, range, load);
  if (range.end > middle) add(2 * node + 1, {middle, ranks.end}, range, load);
  const Node& left = nodes_[2 * node];
  const Node& right = nodes_[2 * node + 1];
  const Node& lesser = right.least < left.least ? right : left;
  here.least = lesser.least;
  here.least += here.pending;
  here.rank = lesser.rank;
}

RankLoads::Found RankLoads::least(std::size_t node, RankRange ranks, RankRange range) const {
  const Node& here = nodes_[node];
  if (range.begin <= ranks.begin && ranks.end <= range.end) return {here.least, here.rank};
  const Rank middle = ranks.begin + ranks.size() / 2;
  const RankRange left = {ranks.begin, middle};
  const RankRange right = {middle, ranks.end};
  Found found;
  if (range.end <= middle) {
    found = least(2 * node, left, range);
  } else if (range.begin >= middle) {
    found = least(2 * node + 1, right, range);
  } else {
    const Found of_left = least(2 * node, left, range);
    const Found of_right = least(2 * node + 1, right, range);
    found = of_right.load < of_left.load ? of_right : of_left;
  }
  found.load += here.pending;
  return found;
}

}  // namespace frond
