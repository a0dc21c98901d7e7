// SPDX-License-Identifier: BSD-3-Clause
// Tests Liu's order of siblings against all orders of small trees.
#include "analysis/tree/child_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "analysis/symbolic.hpp"
#include "analysis/tree/front_cost.hpp"
#include "tests/support/matrices/patterns.hpp"

namespace frond::test {
namespace {

/// Returns the peak when the nodes are visited in the postorder of `forest`, simulated front by front.
Count simulated_peak(const FrontTree& fronts, const Forest& forest, bool symmetric) {
  Count alive = 0;
  Count peak = 0;
  for (const Index front : postorder(forest)) {
    alive += cb_entries(fronts.cb_order[front], symmetric);
    peak = std::max(peak, alive);
    for (const Index child : forest.children.of(front)) alive -= cb_entries(fronts.cb_order[child], symmetric);
  }
  return peak;
}

/// Returns the lowest peak over all orders of all siblings, tried node by node from `front` on.
Count lowest_peak(const FrontTree& fronts, Forest& forest, Index front, bool symmetric) {
  if (front == fronts.num_fronts()) return simulated_peak(fronts, forest, symmetric);
  const auto children = forest.children.of(front);
  std::sort(children.begin(), children.end());
  Count lowest = std::numeric_limits<Count>::max();
  do {
    lowest = std::min(lowest, lowest_peak(fronts, forest, front + 1, symmetric));
  } while (std::next_permutation(children.begin(), children.end()));
  return lowest;
}

/// A random tree of `num_fronts` fronts with contribution blocks of order 1 to 30 (0 at the root).
FrontTree random_fronts(Index num_fronts, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  FrontTree fronts;
  for (Index front = 0; front < num_fronts; ++front) {
    const bool is_root = front == num_fronts - 1;
    const Index choices = std::min<Index>(num_fronts - 1 - front, 4);
    fronts.parent.push_back(is_root ? kNoParent : front + 1 + static_cast<Index>(random() % choices));
    fronts.cb_order.push_back(is_root ? 0 : 1 + static_cast<Index>(random() % 30));
    fronts.num_fully_summed.push_back(1);
  }
  return fronts;
}

TEST(LiuOrder, VisitsTheChildWithTheHigherPeakFirst) {
  // child 1 (rows: 2) has a child 0 with 10 rows: its peak is 55 + 3; child 2 has 4 rows and no children
  FrontTree fronts;
  fronts.parent = {1, 3, 3, kNoParent};
  fronts.cb_order = {10, 2, 4, 0};
  fronts.num_fully_summed = {1, 1, 1, 4};
  const Forest forest = liu_order(fronts, true);
  EXPECT_EQ(postorder(forest), (std::vector<Index>{0, 1, 2, 3}));
  EXPECT_EQ(simulated_peak(fronts, forest, true), 58);
  fronts.parent = {2, 3, 3, kNoParent};
  fronts.cb_order = {10, 4, 2, 0};
  EXPECT_EQ(postorder(liu_order(fronts, true)), (std::vector<Index>{0, 2, 1, 3}));
}

TEST(LiuOrder, IsNeverWorseThanAnyOtherOrder) {
  int num_improved = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const FrontTree fronts = random_fronts(9, seed);
    for (const bool symmetric : {false, true}) {
      Forest forest = make_forest(fronts.parent);
      const Count unordered = simulated_peak(fronts, forest, symmetric);
      const Count by_liu = simulated_peak(fronts, liu_order(fronts, symmetric), symmetric);
      EXPECT_EQ(by_liu, lowest_peak(fronts, forest, 0, symmetric)) << "seed " << seed;
      num_improved += by_liu < unordered ? 1 : 0;
    }
  }
  EXPECT_GT(num_improved, 10);  // the trees are such that the order matters
}

}  // namespace
}  // namespace frond::test
