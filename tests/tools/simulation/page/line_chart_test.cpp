// SPDX-License-Identifier: BSD-3-Clause
// Tests points, gaps, labels and guides of line charts.
#include "tools/simulation/page/line_chart.hpp"

#include <gtest/gtest.h>

#include "tests/support/programs/tag_error.hpp"

namespace frond::testing {
namespace {

std::string drawn(const LineChart& chart) {
  const ChartAxis axis = linear_axis(10, 3, kLineChartBottom, kLineChartTop);
  EXPECT_EQ(tag_error(line_chart(chart, axis)), "");
  return line_chart(chart, axis);
}

// The middle one of 2, 8 and 32 ranks is halfway along the axis; 10 is at the top, 0 at the bottom.
TEST(LineChart, PutsPointsWhereTheyBelong) {
  const std::string chart = drawn({"seconds", {2, 8, 32}, {{"a", 0, {{2, 10, "10"}, {8, 5, "5.0"}, {32, 0, "0"}}}}, {}});
  EXPECT_EQ(count_of(chart, "d=\"M84.0 30.0L292.0 144.0L500.0 258.0\""), 1) << chart;
  EXPECT_EQ(count_of(chart, "<title>a, 8 ranks: 5.0 seconds</title>"), 1);
  EXPECT_EQ(count_of(chart, ">32</text>"), 1);
}

TEST(LineChart, BreaksLinesWhereARunIsMissing) {
  const std::string chart = drawn({"seconds", {2, 8, 32}, {{"a", 0, {{2, 10, "10"}, {32, 0, "0"}}}}, {}});
  EXPECT_EQ(count_of(chart, "d=\"M84.0 30.0M500.0 258.0\""), 1) << chart;
}

TEST(LineChart, HasPointsBesideOneAnotherForASingleNumberOfRanks) {
  const std::string chart = drawn({"seconds", {4}, {{"a", 0, {{4, 5, "5.0"}}}, {"b", 1, {{4, 5, "5.0"}}}}, {}});
  EXPECT_EQ(count_of(chart, "class=\"line\""), 0);
  EXPECT_EQ(count_of(chart, "translate(177.0 144.0)"), 1) << chart;
  EXPECT_EQ(count_of(chart, "translate(407.0 144.0)"), 1) << chart;
  EXPECT_EQ(count_of(chart, ">5.0</text>"), 2);
}

TEST(LineChart, LeavesOutLabelsThatWouldTouch) {
  const std::string chart = drawn({"seconds", {256, 257, 1024}, {}, {}});
  EXPECT_EQ(count_of(chart, ">1\u202f024</text>"), 1);
  EXPECT_EQ(count_of(chart, ">257</text>"), 1);
  EXPECT_EQ(count_of(chart, ">256</text>"), 0);
}

// The guide runs from 8 seconds on 1 rank to 1 second on 8, the lower end of the axis.
TEST(LineChart, HasAGuideDownToItsFoot) {
  const LineChart chart{"seconds", {1, 64}, {}, {1, 8, ""}};
  const ChartAxis axis{AxisScale::logarithmic, 1, 8, kLineChartBottom, kLineChartTop, {}};
  EXPECT_EQ(count_of(line_chart(chart, axis), "class=\"guide\" x1=\"84.0\" y1=\"30.0\" x2=\"292.0\" y2=\"258.0\""), 1);
}

}  // namespace
}  // namespace frond::testing
