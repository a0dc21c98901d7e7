// SPDX-License-Identifier: BSD-3-Clause
// Tests which ranks count as slow, by the paces that all report.
#include "loadinfo/mechanisms/pace_table.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace frond {
namespace {

TEST(PaceTable, TakesAllForAlikeUntilSomethingIsKnown) {
  EXPECT_EQ(PaceTable(3).slowness(), std::vector<double>(3, 1.0));
  PaceTable table(3);
  table.note(1, {4, 5000});
  EXPECT_EQ(table.slowness(), std::vector<double>(3, 1.0)) << "nobody to compare with";
  table.note(1, {4, 0});
  table.note(2, {4, 2500});
  EXPECT_EQ(table.slowness(), (std::vector<double>{1, 2, 1})) << "'nothing measured' takes nothing away";
}

TEST(PaceTable, ComparesWithTheMedian) {
  PaceTable table(5);
  for (const auto& [rank, pace] : {std::pair{0, 900}, {1, 1000}, {2, 1000}, {3, 3000}, {4, 100}}) {
    table.note(rank, {2, pace});
  }
  const std::vector<double> slowness = table.slowness();
  EXPECT_DOUBLE_EQ(slowness[0], 1);
  EXPECT_DOUBLE_EQ(slowness[1], 1);
  EXPECT_DOUBLE_EQ(slowness[3], 3);
  EXPECT_DOUBLE_EQ(slowness[4], 1) << "nobody counts as fast";
}

// Small fronts take longer than expected everywhere.
TEST(PaceTable, DoesNotTakeWhoHasSlowWorkForSlow) {
  PaceTable table(4);
  for (Rank rank = 0; rank < 4; ++rank) {
    table.note(rank, rank < 2 ? Pace{1, 8000} : Pace{9, 1000});
  }
  EXPECT_EQ(table.slowness(), std::vector<double>(4, 1.0));
  table.note(3, {1, 8000});
  table.note(3, {9, 4000});
  EXPECT_DOUBLE_EQ(table.slowness()[3], 12.0 / 9.0);
}

TEST(PaceTable, GoesByWhatWasSaidLast) {
  PaceTable table(2);
  table.note(0, {3, 1000});
  table.note(1, {3, 1000});
  table.note(1, {3, 2000});
  EXPECT_EQ(table.slowness(), (std::vector<double>{1, 2}));
}

}  // namespace
}  // namespace frond
