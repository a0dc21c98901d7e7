// SPDX-License-Identifier: BSD-3-Clause
// Tests amalgamation: what must merge, what must not, and the bounds on time and zeros.
#include "analysis/tree/amalgamate.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/graph/forest.hpp"
#include "analysis/ordering/ordering.hpp"
#include "tests/support/matrices/patterns.hpp"

namespace frond::test {
namespace {

/// A child whose rows are exactly the front of its parent: merging adds no zero.
const SupernodeTree kNestedPair{{0, 1, 2}, {1, kNoParent}, {3, 4}, {6, 2}};

/// Two children of a root, the first of which shares all rows with it.
const SupernodeTree kSiblings{{0, 1, 2, 3}, {2, 2, kNoParent}, {2, 200, 300}, {300, 1, 0}};

SupernodeTree supernodes_of(const Pattern& pattern) {
  return fundamental_supernodes(order_graph(adjacency_graph(pattern.view()), {}).elimination);
}

double entries_of(Index num_fully_summed, Index cb_order) {
  return num_fully_summed * (num_fully_summed + 1.0) / 2 + 1.0 * num_fully_summed * cb_order;
}

double total_seconds(const FrontTree& fronts, const AmalgamationOptions& options) {
  double seconds = 0;
  for (Index front = 0; front < fronts.num_fronts(); ++front) {
    seconds += predicted_seconds(fronts.num_fully_summed[front], fronts.cb_order[front], Symmetry::symmetric, options);
  }
  return seconds;
}

TEST(PredictedSeconds, FollowsTheModel) {
  const AmalgamationOptions options{true, 7, 10, 1000, 0, 0};
  // order 3, 1 pivot: lower triangle 6 entries, 9 flops; twice as many of both for LU
  EXPECT_DOUBLE_EQ(predicted_seconds(1, 2, Symmetry::hermitian, options), 7 + 60 + 9000);
  EXPECT_DOUBLE_EQ(predicted_seconds(1, 2, Symmetry::general, options), 7 + 120 + 18000);
}

TEST(Amalgamate, MergesWhatAddsNoZeros) {
  const FrontTree fronts = amalgamate(kNestedPair, Symmetry::symmetric, {.free_zeros = 0, .max_zero_fraction = 0});
  EXPECT_EQ(fronts.front_of, (std::vector<Index>{0, 0}));
  EXPECT_EQ(fronts.parent, (std::vector<Index>{kNoParent}));
  EXPECT_EQ(fronts.num_fully_summed, (std::vector<Index>{7}));
  EXPECT_EQ(fronts.cb_order, (std::vector<Index>{2}));
}

TEST(Amalgamate, LeavesEverythingWhenDisabled) {
  const FrontTree fronts = amalgamate(kNestedPair, Symmetry::symmetric, {.enabled = false});
  EXPECT_EQ(fronts.front_of, (std::vector<Index>{0, 1}));
  EXPECT_EQ(fronts.parent, kNestedPair.parent);
  EXPECT_EQ(fronts.num_fully_summed, kNestedPair.num_fully_summed);
  EXPECT_EQ(fronts.cb_order, kNestedPair.cb_order);
}

TEST(Amalgamate, MergesAnyChildNotOnlyTheLast) {
  const FrontTree fronts = amalgamate(kSiblings, Symmetry::symmetric, {});
  EXPECT_EQ(fronts.front_of, (std::vector<Index>{1, 0, 1}));
  EXPECT_EQ(fronts.num_fully_summed, (std::vector<Index>{200, 302}));
  EXPECT_EQ(fronts.parent, (std::vector<Index>{1, kNoParent}));
}

TEST(Amalgamate, MergesTwinsAsFarAsItPays) {
  // 100 leaves with the same two rows: k of them as one front hold k (k - 1) / 2 zeros
  constexpr Index kLeaves = 100;
  SupernodeTree star{{}, std::vector<Index>(kLeaves, kLeaves), std::vector<Index>(kLeaves, 1), std::vector<Index>(kLeaves, 2)};
  for (Index k = 0; k < kLeaves; ++k) star.next_twin.push_back(k + 1 < kLeaves ? k + 1 : kNoTwin);
  star.parent.push_back(kNoParent);
  star.num_fully_summed.push_back(300);
  star.cb_order.push_back(0);
  star.next_twin.push_back(kNoTwin);
  AmalgamationOptions options{.free_zeros = 45, .max_zero_fraction = 0};
  const FrontTree fronts = amalgamate(star, Symmetry::symmetric, options);
  ASSERT_EQ(fronts.num_fronts(), 11);
  EXPECT_EQ(fronts.num_fully_summed, (std::vector<Index>{10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 300}));
  EXPECT_EQ(fronts.cb_order, (std::vector<Index>{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0}));
  EXPECT_EQ(fronts.parent.front(), 10);
  options.enabled = false;
  EXPECT_EQ(amalgamate(star, Symmetry::symmetric, options).num_fronts(), kLeaves + 1);
}

TEST(Amalgamate, WeighsTheFrontAgainstItsZeros) {
  const SupernodeTree pair{{0, 1, 2}, {1, kNoParent}, {10, 100}, {50, 0}};  // 500 zeros if merged
  AmalgamationOptions options{.front_seconds = 1, .entry_seconds = 1, .flop_seconds = 0, .max_zero_fraction = 1};
  // apart: fronts of order 60 and 100 have 1830 + 5050 entries; together: order 110, 6105 entries
  EXPECT_EQ(amalgamate(pair, Symmetry::symmetric, options).num_fronts(), 1);
  options.flop_seconds = 1;  // apart 33,485 + 338,350 flops, together 449,735
  EXPECT_EQ(amalgamate(pair, Symmetry::symmetric, options).num_fronts(), 2);
  options.front_seconds = 80000;
  EXPECT_EQ(amalgamate(pair, Symmetry::symmetric, options).num_fronts(), 1);
  options.max_zero_fraction = 0.05;
  EXPECT_EQ(amalgamate(pair, Symmetry::symmetric, options).num_fronts(), 2);
  options.free_zeros = 500;
  EXPECT_EQ(amalgamate(pair, Symmetry::symmetric, options).num_fronts(), 1);
  options.free_zeros = 499;
  EXPECT_EQ(amalgamate(pair, Symmetry::symmetric, options).num_fronts(), 2);
}

TEST(Amalgamate, TriesTheChildWithTheMostRowsFirst) {
  // either child fits into the bound of 10 zeros, adding 10 or 4, but not both
  const SupernodeTree siblings{{0, 1, 2, 3}, {2, 2, kNoParent}, {2, 4, 10}, {5, 9, 0}};
  const AmalgamationOptions options{.free_zeros = 10, .max_zero_fraction = 0};
  EXPECT_EQ(amalgamate(siblings, Symmetry::symmetric, options).front_of, (std::vector<Index>{0, 1, 1}));
}

TEST(Amalgamate, ComparesWithTheParentAsItHasGrown) {
  // the second child merges because it would save the front of order 110, not the one of order 100
  const SupernodeTree siblings{{0, 1, 2, 3}, {2, 2, kNoParent}, {10, 10, 100}, {50, 50, 0}};
  const AmalgamationOptions entries_only{true, 0, 1, 0, 0, 1};
  EXPECT_EQ(amalgamate(siblings, Symmetry::symmetric, entries_only).num_fronts(), 1);
}

TEST(Amalgamate, KeepsItsBoundsOnModelProblems) {
  for (const Pattern& pattern : {grid_pattern(60, 60, 1), grid_pattern(13, 13, 13), grid_pattern(8, 8, 8, 3)}) {
    const SupernodeTree supernodes = supernodes_of(pattern);
    AmalgamationOptions options;
    const FrontTree merged = amalgamate(supernodes, Symmetry::symmetric, options);
    std::vector<double> exact_entries(merged.num_fronts(), 0);
    std::vector<Index> num_fully_summed(merged.num_fronts(), 0);
    for (Index s = 0; s < supernodes.num_supernodes(); ++s) {
      exact_entries[merged.front_of[s]] += entries_of(supernodes.num_fully_summed[s], supernodes.cb_order[s]);
      num_fully_summed[merged.front_of[s]] += supernodes.num_fully_summed[s];
      const Index parent = supernodes.parent[s];
      if (parent == kNoParent || merged.front_of[parent] == merged.front_of[s]) continue;
      EXPECT_EQ(merged.parent[merged.front_of[s]], merged.front_of[parent]);
      EXPECT_EQ(merged.cb_order[merged.front_of[s]], supernodes.cb_order[s]);
    }
    EXPECT_EQ(num_fully_summed, merged.num_fully_summed);
    for (Index front = 0; front < merged.num_fronts(); ++front) {
      const double entries = entries_of(merged.num_fully_summed[front], merged.cb_order[front]);
      const double zeros = entries - exact_entries[front];
      EXPECT_GE(zeros, 0);
      EXPECT_LE(zeros, std::max(64.0, options.max_zero_fraction * entries));
    }
    options.enabled = false;
    EXPECT_LT(total_seconds(merged, options), total_seconds(amalgamate(supernodes, Symmetry::symmetric, options), options));
    EXPECT_LT(merged.num_fronts(), supernodes.num_supernodes() * 4 / 5);
  }
}

}  // namespace
}  // namespace frond::test
