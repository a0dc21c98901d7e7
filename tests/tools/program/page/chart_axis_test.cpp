// SPDX-License-Identifier: BSD-3-Clause
// Tests the ticks and the scale of chart axes.
#include "tools/program/page/chart_axis.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace frond {
namespace {

using Values = std::vector<double>;

TEST(ChartAxis, HasRoundTicks) {
  EXPECT_EQ(linear_ticks(7, 8), (Values{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(linear_ticks(7, 5), (Values{0, 2, 4, 6}));
  EXPECT_EQ(linear_ticks(1, 3), (Values{0, 0.5, 1}));
  EXPECT_EQ(linear_ticks(1023, 3), (Values{0, 1000}));
  EXPECT_EQ(linear_ticks(0, 5), (Values{0}));
  EXPECT_EQ(logarithmic_ticks(5, 2000), (Values{10, 100, 1000}));
  EXPECT_EQ(logarithmic_ticks(3, 30), (Values{5, 10, 20}));
  EXPECT_EQ(logarithmic_ticks(1, 1e9), (Values{1, 100, 1e4, 1e6, 1e8}));
}

TEST(ChartAxis, HasNeitherTooFewTicksNorTooMany) {
  for (double largest = 0.011; largest < 1e7; largest *= 1.37) {
    const std::size_t num_ticks = linear_ticks(largest, 8).size();
    EXPECT_GE(num_ticks, 3u) << largest;
    EXPECT_LE(num_ticks, 8u) << largest;
    for (const double ratio : {10.0, 20.0, 300.0, 1e5, 1e8, 1e14}) {
      const std::size_t num_logarithmic = logarithmic_ticks(largest, ratio * largest).size();
      EXPECT_GE(num_logarithmic, 3u) << largest << ' ' << ratio;
      EXPECT_LE(num_logarithmic, 8u) << largest << ' ' << ratio;
    }
  }
}

TEST(ChartAxis, PlacesValues) {
  const ChartAxis linear = linear_axis(10, 3, 200, 100);
  EXPECT_EQ(linear.at(0), 200);
  EXPECT_EQ(linear.at(5), 150);
  EXPECT_EQ(linear.at(10), 100);
  const ChartAxis logarithmic{AxisScale::logarithmic, 1, 16, 0, 100, {}};
  EXPECT_DOUBLE_EQ(logarithmic.at(4), 50);
  EXPECT_EQ(logarithmic.at(0), 0);  // at the bottom
}

TEST(ChartAxis, IsLogarithmicWhereValuesDifferALot) {
  EXPECT_EQ(suitable_axis(Values{2, 7}, 0, 1).scale, AxisScale::linear);
  EXPECT_EQ(suitable_axis(Values{2, 9}, 0, 1).scale, AxisScale::logarithmic);
  EXPECT_EQ(suitable_axis(Values{0, 9}, 0, 1).scale, AxisScale::linear);
  EXPECT_EQ(suitable_axis(Values{}, 0, 1).scale, AxisScale::linear);
}

TEST(ChartAxis, HasRoomForAllValues) {
  for (const Values& values : {Values{3}, Values{1, 1e9}, Values{0, 5, 700}, Values{0, 0}, Values{20, 30}}) {
    const ChartAxis axis = logarithmic_axis(values, 0, 100);
    for (const double value : values) {
      EXPECT_GE(axis.at(value), 0) << value;
      EXPECT_LT(axis.at(value), 95) << value;
    }
    EXPECT_TRUE(std::is_sorted(axis.ticks.begin(), axis.ticks.end()));
  }
}

TEST(ChartAxis, KeepsZeroApartFromTheLowestTick) {
  const ChartAxis axis = logarithmic_axis(Values{0, 5, 700}, 0, 100);
  ASSERT_EQ(axis.ticks.front(), 0);
  EXPECT_EQ(axis.at(0), 0);
  EXPECT_GT(axis.at(axis.ticks[1]), 6);
}

}  // namespace
}  // namespace frond
