// SPDX-License-Identifier: BSD-3-Clause
// Tests joining reports: counts add up, maxima prevail, null pivots stay sorted.
#include "factorization/fronts/level_counts.hpp"
#include "frond/factorization_report.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace frond::test {
namespace {

FactorizationReport example(Index base) {
  FactorizationReport report;
  report.inertia = {base, base + 1, base + 2};
  report.determinant = Determinant(base);
  report.num_delayed_pivots = base + 3;
  report.num_two_by_two = base + 4;
  report.num_perturbed_pivots = base + 12;
  report.smallest_pivot_sign = base > 105 ? 1 : -1;
  report.pivot_growth = base + 13;
  report.levels = {{.num_fronts = base + 14, .num_delayed_pivots = base + 15, .num_two_by_two = base + 16}};
  at_level(report.levels, base - 98) = {
      .num_null_pivots = 17, .num_perturbed_pivots = 18, .max_front_order = base + 19, .flops = 20.0};
  report.null_pivots = {base, base + 20};
  report.smallest_pivot = base;
  report.smallest_pivot_variable = base + 5;
  report.flops = base + 6;
  report.factor_entries = base + 7;
  report.factor_bytes = base + 8;
  report.peak_bytes = base + 9;
  report.max_front_order = base + 10;
  report.num_workers_seen = base + 11;
  return report;
}

TEST(FactorizationReport, JoinsParts) {
  for (const bool larger_first : {false, true}) {
    FactorizationReport joined = example(larger_first ? 110 : 100);
    joined += example(larger_first ? 100 : 110);
    EXPECT_EQ(joined.inertia.positive, 210);
    EXPECT_EQ(joined.inertia.negative, 212);
    EXPECT_EQ(joined.inertia.zero, 214);
    EXPECT_EQ(joined.determinant, Determinant(11000));
    EXPECT_EQ(joined.num_delayed_pivots, 216);
    EXPECT_EQ(joined.num_two_by_two, 218);
    EXPECT_EQ(joined.null_pivots, (std::vector<Index>{100, 110, 120, 130}));
    EXPECT_EQ(joined.smallest_pivot, 100);
    EXPECT_EQ(joined.smallest_pivot_variable, 105);
    EXPECT_EQ(joined.flops, 222);
    EXPECT_EQ(joined.factor_entries, 224);
    EXPECT_EQ(joined.factor_bytes, 226);
    EXPECT_EQ(joined.peak_bytes, 119);
    EXPECT_EQ(joined.max_front_order, 120);
    EXPECT_EQ(joined.num_workers_seen, 121);
    EXPECT_EQ(joined.num_perturbed_pivots, 234);
    EXPECT_EQ(joined.smallest_pivot_sign, -1);
    EXPECT_EQ(joined.pivot_growth, 123);
    ASSERT_EQ(joined.levels.size(), 13U);
    EXPECT_EQ(joined.levels[0], (LevelCounts{.num_fronts = 238, .num_delayed_pivots = 240, .num_two_by_two = 242}));
    EXPECT_EQ(joined.levels[1], LevelCounts{});
    EXPECT_EQ(joined.levels[2],
              (LevelCounts{.num_null_pivots = 17, .num_perturbed_pivots = 18, .max_front_order = 119, .flops = 20.0}));
    EXPECT_EQ(joined.levels[12].max_front_order, 129);
  }
}

TEST(FactorizationReport, TakesTheWorseStatus) {
  FactorizationReport report;
  FactorizationReport singular;
  singular.status = FactorizationStatus::singular;
  report += singular;
  EXPECT_EQ(report.status, FactorizationStatus::singular);
  report += FactorizationReport{};
  EXPECT_EQ(report.status, FactorizationStatus::singular);
}

}  // namespace
}  // namespace frond::test
