// SPDX-License-Identifier: BSD-3-Clause
// Tests the layer of subtrees: by hand, and its balance on all kinds of trees.
#include "analysis/mapping/subtree_layer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/support/matrices/trees.hpp"

namespace frond::test {
namespace {

std::vector<NodeId> tops_of(const AssemblyTree& tree, const MappingOptions& options) {
  return find_subtree_layer(tree, subtree_times(tree, Method::lu, options), options).tops;
}

TEST(SubtreeLayer, IsTheRootsForOneRank) {
  for (const AssemblyTree& tree : sample_of_trees()) {
    const std::vector<NodeId> tops = tops_of(tree, small_fronts(1));
    EXPECT_EQ(tops, std::vector<NodeId>(tree.roots().begin(), tree.roots().end()));
  }
}

TEST(SubtreeLayer, CutsTheRootFromEqualLeaves) {
  EXPECT_EQ(tops_of(star(4, 20), small_fronts(4)), (std::vector<NodeId>{0, 1, 2, 3}));
  EXPECT_EQ(tops_of(star(8, 20), small_fronts(4)).size(), 8);
}

TEST(SubtreeLayer, TakesABalancedForestAsItIs) {
  const AssemblyTree forest = full_tree({1, kNoParent, 3, kNoParent}, {30, 30, 30, 30});
  EXPECT_EQ(tops_of(forest, small_fronts(2)), (std::vector<NodeId>{1, 3}));
}

TEST(SubtreeLayer, CutsWhereTheWorkIs) {
  // root 6 over 2 (heavy, over 0 and 1) and 5 (light, over 3 and 4)
  const AssemblyTree tree = full_tree({2, 2, 6, 5, 5, 6, kNoParent}, {120, 120, 20, 1, 1, 1, 20});
  MappingOptions options = small_fronts(2);
  options.min_front_flops = 1e9;  // leaves stay whole
  EXPECT_EQ(tops_of(tree, options), (std::vector<NodeId>{0, 1, 5}));
}

TEST(SubtreeLayer, StopsAsSoonAsItIsBalanced) {
  // root 1 over 0, and root 2 with as much work as 0; cutting 1 leaves as many subtrees as before
  EXPECT_EQ(tops_of(full_tree({1, kNoParent, kNoParent}, {100, 150, 230}), small_fronts(2)), (std::vector<NodeId>{0, 2}));
}

TEST(SubtreeLayer, KeepsAChainOfSmallFrontsWhole) {
  EXPECT_EQ(tops_of(chain(1000), MappingOptions{.num_ranks = 4}), std::vector<NodeId>{999});
}

TEST(SubtreeLayer, KeepsAStarOfTinyLeavesWhole) {
  EXPECT_EQ(tops_of(star(5000, 2), MappingOptions{.num_ranks = 4}), std::vector<NodeId>{5000});
  EXPECT_EQ(tops_of(star(16, 200), MappingOptions{.num_ranks = 4}).size(), 16);
}

TEST(SubtreeTimes, AddUpAloneAndTakeTheLongestPath) {
  const AssemblyTree tree = full_tree({2, 2, kNoParent}, {500, 10, 300});
  const SubtreeTimes times = subtree_times(tree, Method::ldlt, MappingOptions{.num_ranks = 4});
  EXPECT_GT(times.alone[2], times.alone[0] + times.alone[1]);
  EXPECT_LT(times.critical[0], times.alone[0]);  // three slaves take part
  EXPECT_GT(times.critical[1], times.alone[1]);  // a small front with messages
  EXPECT_GT(times.critical[2], times.critical[0]);
  const SubtreeTimes with_grid = subtree_times(tree, Method::cholesky, {.num_ranks = 4, .grid_order_per_side = 100});
  EXPECT_LT(with_grid.critical[2] - with_grid.critical[0], times.critical[2] - times.critical[0]);
}

/// Returns the load of the fullest rank.
double fullest(const std::vector<double>& seconds, const std::vector<Rank>& ranks, Rank num_ranks) {
  std::vector<double> loads(num_ranks, 0.0);
  for (std::size_t k = 0; k < seconds.size(); ++k) loads[ranks[k]] += seconds[k];
  return *std::max_element(loads.begin(), loads.end());
}

TEST(SubtreeLayer, IsBalancedWhereThatCanBeReached) {
  int num_balanced = 0;
  for (const AssemblyTree& tree : sample_of_trees()) {
    for (const Rank num_ranks : {1, 2, 3, 8, 50}) {
      const MappingOptions options = small_fronts(num_ranks);
      const SubtreeTimes times = subtree_times(tree, Method::lu, options);
      const SubtreeLayer layer = find_subtree_layer(tree, times, options);
      std::vector<double> seconds;
      NodeId end = 0;
      bool may_be_cut = false;
      for (const NodeId top : layer.tops) {
        EXPECT_GE(tree.subtree_begin(top), end);  // disjoint
        end = top + 1;
        seconds.push_back(times.alone[top]);
        may_be_cut = may_be_cut || (times.alone[top] > layer.allowed_excess && times.critical[top] <= 0.9 * times.alone[top]);
      }
      if (seconds.empty()) continue;
      const std::vector<RankRange> all(seconds.size(), {0, num_ranks});
      const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / num_ranks;
      const double heaviest = *std::max_element(seconds.begin(), seconds.end());
      const double load = fullest(seconds, assign_to_ranks(seconds, all, num_ranks, layer.allowed_excess), num_ranks);
      const bool is_balanced = load <= (std::max(mean, heaviest) + layer.allowed_excess) * (1 + 1e-12);
      EXPECT_TRUE(is_balanced || !may_be_cut) << tree.num_nodes() << " nodes, " << num_ranks << " ranks";
      num_balanced += is_balanced && num_ranks > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(num_balanced, 40);
}

TEST(AssignToRanks, GivesTheLongestFirst) {
  const std::vector<RankRange> all(4, {0, 2});
  EXPECT_EQ(assign_to_ranks(std::vector<double>{2, 3, 4, 3}, all, 2, 0), (std::vector<Rank>{0, 1, 0, 1}));
}

TEST(AssignToRanks, PrefersAsLongAsItIsBalanced) {
  const std::vector<double> seconds = {1, 1, 1, 1};
  const std::vector<RankRange> preferred = {{2, 3}, {3, 4}, {2, 3}, {0, 1}};
  EXPECT_EQ(assign_to_ranks(seconds, preferred, 4, 0), (std::vector<Rank>{2, 3, 0, 1}));
  EXPECT_EQ(assign_to_ranks(seconds, preferred, 4, 1), (std::vector<Rank>{2, 3, 2, 0}));
  EXPECT_TRUE(assign_to_ranks({}, {}, 4, 0).empty());
}

TEST(AssignToRanks, DropsPreferencesThatSpoilTheBalance) {
  // Rank 0 would take 4 + 4, then rank 1 3 + 3 + 2, and the last 2 does not fit below 9.5.
  const std::vector<double> seconds = {4, 4, 3, 3, 2, 2};
  const std::vector<RankRange> preferred(6, {0, 1});
  EXPECT_EQ(fullest(seconds, assign_to_ranks(seconds, preferred, 2, 0.5), 2), 9);
}

}  // namespace
}  // namespace frond::test
