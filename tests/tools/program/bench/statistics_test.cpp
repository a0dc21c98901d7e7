// SPDX-License-Identifier: BSD-3-Clause
// Tests medians, spreads and comparisons of a few values.
#include "tools/program/bench/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace frond {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

TEST(Median, IsTheMiddleOrTheMeanOfBothMiddles) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 100, 2}), 3);
  EXPECT_EQ(median({7}), 7);
  EXPECT_TRUE(std::isnan(median({})));
}

TEST(RelativeSpread, IsTheRangeOverTheMedian) {
  EXPECT_DOUBLE_EQ(relative_spread(std::vector<double>{4, 5, 3}), 0.5);
  EXPECT_EQ(relative_spread(std::vector<double>{2}), 0);
  EXPECT_TRUE(std::isnan(relative_spread({})));
}

TEST(GeometricMean, LeavesOutWhatWasNotMeasured) {
  EXPECT_DOUBLE_EQ(geometric_mean(std::vector<double>{0.5, 8}), 2);
  EXPECT_DOUBLE_EQ(geometric_mean(std::vector<double>{1, kNothing, 4}), 2);
  EXPECT_TRUE(std::isnan(geometric_mean(std::vector<double>{kNothing})));
}

// On three problems the first solver is twice as fast, half as fast, and fails.
TEST(PerformanceRatios, CompareWithTheBestOfEachProblem) {
  const auto ratios = performance_ratios({{1, 4, kNothing}, {2, 2, 3}});
  EXPECT_EQ(ratios[0], (std::vector<double>{1, 2}));
  EXPECT_EQ(ratios[1], (std::vector<double>{1, 1, 2}));
  EXPECT_TRUE(performance_ratios({}).empty());
}

TEST(SolvedFraction, CountsAllProblems) {
  const std::vector<double> ratios = {1, 2};
  EXPECT_DOUBLE_EQ(solved_fraction(ratios, 4, 1), 0.25);
  EXPECT_DOUBLE_EQ(solved_fraction(ratios, 4, 1.99), 0.25);
  EXPECT_DOUBLE_EQ(solved_fraction(ratios, 4, 2), 0.5);
  EXPECT_DOUBLE_EQ(solved_fraction({}, 4, 16), 0);
}

}  // namespace
}  // namespace frond
