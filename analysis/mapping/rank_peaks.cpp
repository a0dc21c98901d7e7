// SPDX-License-Identifier: BSD-3-Clause
// Composes sequences of changes, each held as its sum and its highest prefix.
#include "analysis/mapping/rank_peaks.hpp"

#include <algorithm>
#include <bit>

namespace frond {

RankPeaks::RankPeaks(Rank num_ranks)
    : num_ranks_(num_ranks),
      all_{0, static_cast<Rank>(std::bit_ceil(static_cast<std::uint32_t>(num_ranks)))},
      changes_(2 * static_cast<std::size_t>(all_.end)) {}

void RankPeaks::add(std::size_t node, RankRange ranks, RankRange range, const Change& change) {
  if (range.begin <= ranks.begin && ranks.end <= range.end) {
    apply(node, change);
    return;
  }
  push_down(node);
  const Rank middle = ranks.begin + ranks.size() / 2;
  if (range.begin < middle) add(2 * node, {ranks.begin, middle}, range, change);
  if (range.end > middle) add(2 * node + 1, {middle, ranks.end}, range, change);
}

void RankPeaks::apply(std::size_t node, const Change& change) {
  Change& here = changes_[node];
  here.highest = std::max(here.highest, here.sum + change.highest);
  here.sum += change.sum;
}

void RankPeaks::push_down(std::size_t node) {
  apply(2 * node, changes_[node]);
  apply(2 * node + 1, changes_[node]);
  changes_[node] = {};
}

std::vector<double> RankPeaks::peaks() && {
  for (std::size_t node = kTop; node < changes_.size() / 2; ++node) push_down(node);
  std::vector<double> result(num_ranks_);
  for (Rank rank = 0; rank < num_ranks_; ++rank) result[rank] = changes_[all_.end + rank].highest;
  return result;
}

}  // namespace frond
