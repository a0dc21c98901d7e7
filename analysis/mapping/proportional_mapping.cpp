// SPDX-License-Identifier: BSD-3-Clause
// Divides shares from the roots down.
#include "analysis/mapping/proportional_mapping.hpp"

#include <algorithm>
#include <cmath>

namespace frond {
namespace {

/// A range of one rank, longer by one where `bounds` allow it.
RankRange two_at_least(RankRange range, RankRange bounds) {
  if (range.size() > 1) return range;
  return range.end < bounds.end ? RankRange{range.begin, range.end + 1}
                                : RankRange{std::max(range.begin - 1, bounds.begin), range.end};
}

}  // namespace

std::vector<RankInterval> proportional_intervals(const AssemblyTree& tree, std::span<const double> subtree_work, Rank num_ranks) {
  std::vector<RankInterval> intervals(tree.num_nodes());
  const auto divide = [&](RankInterval whole, std::span<const NodeId> siblings) {
    double total = 0;
    for (const NodeId node : siblings) total += subtree_work[node];
    double done = 0;
    double begin = whole.begin;
    for (const NodeId node : siblings) {
      done += subtree_work[node];
      const double end = whole.begin + whole.width() * (done / total);
      intervals[node] = {begin, end};
      begin = end;
    }
  };
  divide({0, static_cast<double>(num_ranks)}, tree.roots());
  for (NodeId node = tree.num_nodes() - 1; node >= 0; --node) divide(intervals[node], tree.children(node));
  return intervals;
}

std::vector<RankRange> candidate_ranges(const AssemblyTree& tree, std::span<const RankInterval> intervals, Rank num_ranks,
                                        double relaxation) {
  constexpr double kRounding = 1e-9;  // an end this close to a rank's border lies on it
  std::vector<RankRange> ranges(tree.num_nodes());
  for (NodeId node = tree.num_nodes() - 1; node >= 0; --node) {
    const RankRange bounds = tree.parent(node) == kNoParent ? RankRange{0, num_ranks} : ranges[tree.parent(node)];
    const double slack = std::max(relaxation * intervals[node].width(), 1.0) / 2;
    const auto begin = static_cast<Rank>(std::floor(intervals[node].begin - slack + kRounding));
    const auto end = static_cast<Rank>(std::ceil(intervals[node].end + slack - kRounding));
    ranges[node] = two_at_least({std::max(begin, bounds.begin), std::min(end, bounds.end)}, bounds);
  }
  return ranges;
}

}  // namespace frond
