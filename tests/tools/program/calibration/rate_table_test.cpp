// SPDX-License-Identifier: BSD-3-Clause
// Tests rates at measured sizes, between them and outside, against values computed by hand.
#include "tools/program/calibration/rate_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "frond/error.hpp"

namespace frond {
namespace {

TEST(RateTable, InterpolatesLogarithms) {
  const RateTable table({{8, 1e8}, {32, 4e8}, {128, 2e8}});
  EXPECT_DOUBLE_EQ(table.rate(8), 1e8);
  EXPECT_DOUBLE_EQ(table.rate(16), 2e8);
  EXPECT_DOUBLE_EQ(table.rate(32), 4e8);
  EXPECT_NEAR(table.rate(64), 4e8 / std::sqrt(2.0), 1);
}

TEST(RateTable, IsFlatOutside) {
  const RateTable table({{8, 1e8}, {32, 4e8}});
  EXPECT_EQ(table.rate(1), 1e8);
  EXPECT_EQ(table.rate(1e6), 4e8);
  EXPECT_EQ(RateTable({{5, 7}}).rate(3), 7);
  EXPECT_EQ(RateTable({{5, 7}}).rate(5), 7);
  EXPECT_EQ(RateTable({{5, 7}}).rate(9), 7);
}

TEST(RateTable, KnowsItsLargestAndScales) {
  const RateTable table({{8, 1e8}, {32, 4e8}, {128, 2e8}});
  EXPECT_EQ(table.largest_rate(), 4e8);
  EXPECT_EQ(table.times(0.5).largest_rate(), 2e8);
  EXPECT_DOUBLE_EQ(table.times(0.5).rate(16), 1e8);
}

TEST(RateTable, RefusesWhatIsNoTable) {
  EXPECT_THROW(RateTable({}), UsageError);
  EXPECT_THROW(RateTable({{8, 1}, {8, 2}}), UsageError);
  EXPECT_THROW(RateTable({{8, 0}}), UsageError);
  EXPECT_THROW(RateTable({{-8, 1}}), UsageError);
  EXPECT_THROW(RateTable({{8, std::nan("")}}), UsageError);
}

}  // namespace
}  // namespace frond
