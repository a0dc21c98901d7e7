// SPDX-License-Identifier: BSD-3-Clause
// Tests which parameters vary in a sweep, and which runs are best.
#include "tools/simulation/page/sweep_comparison.hpp"

#include <gtest/gtest.h>

#include "tests/support/programs/tag_error.hpp"
#include "tests/tools/simulation/sample_sweep.hpp"
#include "tools/program/page/human_figures.hpp"
#include "tools/simulation/page/run_table.hpp"

namespace frond {
namespace {

using OrderedJson = nlohmann::ordered_json;

// Returns three runs on 8 ranks and one on 16, taking 4, 2, 3 and 1 seconds; another one on 4 ranks has failed.
Sweep four_runs() {
  OrderedJson json = {{"runs", OrderedJson::array()}, {"failed_runs", OrderedJson::array()}};
  json["runs"].push_back(testing::sample_run(8, "snapshot", "memory", true));
  json["runs"].push_back(testing::sample_run(8, "naive", "memory", true));
  json["runs"].push_back(testing::sample_run(8, "other", "flops", true));
  json["runs"].push_back(testing::sample_run(16, "naive", "flops", true));
  json["failed_runs"].push_back(testing::sample_run(4, "naive", "flops", false));
  Sweep sweep = read_sweep(json);
  for (std::size_t k = 0; k < 4; ++k) {
    sweep.runs[k].record[kSeconds] = std::vector<double>{4, 2, 3, 1}[k];
  }
  return sweep;
}

TEST(SweepComparison, FindsWhatVaries) {
  const SweepAxes axes = axes_of(four_runs());
  EXPECT_EQ(axes.num_ranks, (std::vector<double>{4, 8, 16}));
  EXPECT_EQ(axes.exchanges, (std::vector<std::string>{"naive", "snapshot", "other"}));
  EXPECT_EQ(axes.charts, (std::vector<ChartSetting>{{"flops", true}, {"flops", false}, {"memory", true}}));
  EXPECT_EQ(describe(axes.charts[1], axes), "schedule flops, load thread off");
  EXPECT_EQ(describe(axes.charts[1], {}), "");
}

TEST(SweepComparison, FindsTheBest) {
  const Sweep sweep = four_runs();
  EXPECT_EQ(&best_run(sweep, kSeconds), &sweep.runs[3]);
  EXPECT_EQ(describe_spread(sweep, kSeconds, format_three_digits, "seconds"),
            "On 8 ranks, <b>naive, schedule memory, load thread on</b> is the best of 3 runs with 2.00 seconds; snapshot, schedule "
            "memory, load thread on is the last with 4.00 seconds.");
  EXPECT_EQ(describe_spread(sweep, "load_imbalance", format_factor, "x"), "On 8 ranks, all 3 runs have 1.25 x.");
  EXPECT_EQ(describe_spread({}, kSeconds, format_three_digits, "seconds"), "");
}

TEST(ComparisonTable, DividesByTheLeastOnAsManyRanks) {
  const Sweep sweep = four_runs();
  const std::string table = comparison_table(sweep, axes_of(sweep), {"memory", true}, kSeconds);
  EXPECT_EQ(testing::tag_error(table), "");
  EXPECT_EQ(testing::count_of(table, "<td class=\"best\">1.00</td>"), 1);                        // naive on 8
  EXPECT_EQ(testing::count_of(table, "<td class=\"ratio\" style=\"--tint:40%\">2.00</td>"), 1);  // snapshot on 8
  EXPECT_EQ(testing::count_of(table, "<td class=\"absent\">"), 7);
}

}  // namespace
}  // namespace frond
