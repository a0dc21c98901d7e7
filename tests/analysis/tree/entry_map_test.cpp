// SPDX-License-Identifier: BSD-3-Clause
// Tests the entry map on a matrix small enough to check by hand; analyze_test.cpp checks it on many more.
#include "analysis/tree/entry_map.hpp"

#include <gtest/gtest.h>

#include "tests/support/matrices/patterns.hpp"

namespace frond::test {
namespace {

// A tree of two fronts: {0, 1 | 3} and {2, 3}
AssemblyTree small_tree() { return {{1, kNoParent}, {0, 2, 4}, {0, 1, 1}, {3}}; }

TEST(EntryMap, PutsEntriesIntoTheFrontOfTheirFirstVariable) {
  const Pattern pattern =
      pattern_of(4, Symmetry::general, {{0, 0}, {3, 0}, {1, 0}, {0, 3}, {3, 1}, {0, 1}, {2, 2}, {3, 2}, {2, 3}});
  const EntryMap entries = map_entries(pattern.view(), std::vector<Index>{0, 1, 2, 3}, small_tree());
  ASSERT_EQ(entries.num_entries(), 9);
  EXPECT_EQ(entries.entries_begin(0), 0);
  EXPECT_EQ(entries.entries_begin(1), 5);
  EXPECT_EQ(entries.entries_begin(2), 6);
  EXPECT_EQ(entries.entries_begin(4), 9);
  // columns 0: (0,0) (3,0) (1,0);  1: (3,1) (0,1);  2: (2,2) (3,2);  3: (0,3) (2,3)
  const std::vector<Index> positions = {0, 2, 1, ~1, ~2, 2, 0, 1, ~1};
  const std::vector<Count> sources = {0, 1, 2, 4, 7, 3, 5, 6, 8};
  for (Count e = 0; e < 9; ++e) {
    EXPECT_EQ(entries.position(e), positions[e]) << e;
    EXPECT_EQ(entries.source(e), sources[e]) << e;
  }
}

TEST(EntryMap, FollowsThePermutation) {
  // old variables 3, 2, 1, 0 are eliminated in this order, so the lower entry (3, 0) of A is mirrored
  const Pattern pattern = pattern_of(4, Symmetry::symmetric, {{3, 0}, {1, 1}});
  const EntryMap entries = map_entries(pattern.view(), std::vector<Index>{3, 2, 1, 0}, small_tree());
  ASSERT_EQ(entries.entries_begin(1), 1);
  EXPECT_EQ(entries.position(0), ~2);
  EXPECT_EQ(entries.source(0), 0);
  ASSERT_EQ(entries.entries_begin(2), 1);
  EXPECT_EQ(entries.position(1), 0);
  EXPECT_EQ(entries.source(1), 1);
}

TEST(EntryMap, KnowsItsSize) { EXPECT_EQ(EntryMap({0, 1}, {0}, {0}).memory_bytes() - EntryMap().memory_bytes(), 8 + 8 + 4); }

}  // namespace
}  // namespace frond::test
