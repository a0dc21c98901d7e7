// SPDX-License-Identifier: BSD-3-Clause
// Tests shares and candidates: by hand, and by properties of every tree.
#include "analysis/mapping/proportional_mapping.hpp"

#include <gtest/gtest.h>

#include "analysis/tree/front_cost.hpp"
#include "tests/support/matrices/trees.hpp"

namespace frond::test {
namespace {

TEST(ProportionalIntervals, DivideByWork) {
  // 0 and 1 below 2, and a separate root 3
  const AssemblyTree tree = full_tree({2, 2, kNoParent, kNoParent}, {1, 1, 1, 1});
  const std::vector<double> work = {1, 3, 6, 2};
  const auto intervals = proportional_intervals(tree, work, 8);
  EXPECT_DOUBLE_EQ(intervals[2].begin, 0);
  EXPECT_DOUBLE_EQ(intervals[2].end, 6);
  EXPECT_DOUBLE_EQ(intervals[3].begin, 6);
  EXPECT_DOUBLE_EQ(intervals[3].end, 8);
  EXPECT_DOUBLE_EQ(intervals[0].begin, 0);
  EXPECT_DOUBLE_EQ(intervals[0].end, 1.5);
  EXPECT_DOUBLE_EQ(intervals[1].begin, 1.5);
  EXPECT_DOUBLE_EQ(intervals[1].end, 6);
  const auto ranges = candidate_ranges(tree, intervals, 8, 0.25);
  EXPECT_EQ(ranges[2], (RankRange{0, 7}));  // 6 + max(1, 1.5) / 2
  EXPECT_EQ(ranges[3], (RankRange{5, 8}));
  EXPECT_EQ(ranges[0], (RankRange{0, 2}));
  EXPECT_EQ(ranges[1], (RankRange{0, 7}));  // 1.5 - 1.125 / 2 and 6 + 1.125 / 2
  EXPECT_EQ(candidate_ranges(tree, intervals, 8, 0)[1], (RankRange{1, 7}));
}

TEST(ProportionalMapping, KeepsChildrenWithinTheirParents) {
  for (const AssemblyTree& tree : sample_of_trees()) {
    for (const Rank num_ranks : {1, 2, 7, 64}) {
      const std::vector<double> work = subtree_seconds(tree, Method::lu);
      const auto intervals = proportional_intervals(tree, work, num_ranks);
      const auto ranges = candidate_ranges(tree, intervals, num_ranks, 0.25);
      for (NodeId node = 0; node < tree.num_nodes(); ++node) {
        const NodeId parent = tree.parent(node);
        const RankRange bounds = parent == kNoParent ? RankRange{0, num_ranks} : ranges[parent];
        EXPECT_GE(ranges[node].begin, bounds.begin);
        EXPECT_LE(ranges[node].end, bounds.end);
        EXPECT_GE(ranges[node].size(), std::min<Rank>(2, bounds.size()));  // room for a choice
        EXPECT_LE(ranges[node].begin, intervals[node].begin + 1e-6);
        EXPECT_GE(ranges[node].end, intervals[node].end - 1e-6);
        double children = 0;
        for (const NodeId child : tree.children(node)) children += intervals[child].width();
        EXPECT_NEAR(children, tree.children(node).empty() ? 0 : intervals[node].width(), 1e-9 * num_ranks);
      }
    }
  }
}

}  // namespace
}  // namespace frond::test
