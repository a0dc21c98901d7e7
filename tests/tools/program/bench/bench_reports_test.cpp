// SPDX-License-Identifier: BSD-3-Clause
// Tests the table, records and page of results that were worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/support/programs/tag_error.hpp"
#include "tests/tools/program/bench/fake_results.hpp"
#include "tools/program/bench/bench_page.hpp"
#include "tools/program/bench/bench_records.hpp"
#include "tools/program/bench/bench_table.hpp"
#include "tools/program/bench/svg.hpp"

namespace frond::testing {
namespace {

using Json = nlohmann::json;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(BenchPage, IsWellFormedAndNeedsNothingElse) {
  const std::string page = bench_page(testing::fake_results());
  EXPECT_EQ(tag_error(page), "");
  for (const char* reference : {"http", "src=", "href=", "url(", "@import", "<script", "nan"}) {
    EXPECT_FALSE(contains(page, reference)) << reference;
  }
  EXPECT_TRUE(contains(page, "beta &lt;&amp;&gt;"));
  EXPECT_TRUE(contains(page, "ended by &lt;signal&gt; 11"));
  EXPECT_TRUE(contains(page, "left out: A is singular"));
  EXPECT_TRUE(contains(page, "libgamma-dev"));
  EXPECT_TRUE(contains(page, "<polyline"));
}

TEST(BenchPage, IsWellFormedWithoutResults) { EXPECT_EQ(tag_error(bench_page({})), ""); }

// The best peer takes 6 s in total, 2 of them for the analysis; Frond takes 2.5 s, 0.5 of them for the analysis.
TEST(BenchChart, ComparesTotalsWithTheBestPeer) {
  const std::string chart = bench_chart(testing::fake_results());
  EXPECT_EQ(tag_error(chart), "");
  for (const char* part :
       {"first: frond", "second: frond", "alpha", "2.5 s", "6 s", R"(class="part0" x="190.0" y="0.0" width="36.7")",
        R"(class="part0" x="190.0" y="22.0" width="146.7")", "xmlns="}) {
    EXPECT_TRUE(contains(chart, part)) << part << '\n' << chart;
  }
  EXPECT_FALSE(contains(chart, "beta"));
  EXPECT_FALSE(contains(chart, "third"));
}

TEST(BenchChart, IsWellFormedWithoutResults) { EXPECT_EQ(tag_error(bench_chart({})), ""); }

TEST(BarChart, DrawsLengthsToScale) {
  const std::string chart = bar_chart({{"a", {1, 3}, "4 s"}, {"b", {1, 1}, "2 s", true}});
  EXPECT_TRUE(contains(chart, R"(class="part0" x="190.0" y="0.0" width="110.0")"));
  EXPECT_TRUE(contains(chart, R"(class="part1" x="300.0" y="0.0" width="330.0")"));
  EXPECT_TRUE(contains(chart, R"(class="part1" x="300.0" y="22.0" width="110.0")"));
}

// One of two problems is solved in the least time, the other in four times that: halfway along a logarithmic axis to 16.
TEST(StepChart, StepsWhereProblemsAreSolved) {
  const std::string chart = step_chart({{"a", {1, 4}}}, 2, 16);
  EXPECT_TRUE(contains(chart, R"(points="46.0,346.0 46.0,346.0 46.0,196.0 306.0,196.0 306.0,46.0 566.0,46.0 ")")) << chart;
}

TEST(BenchTable, TellsAllFiguresAndReasons) {
  const std::string table = describe(testing::fake_results());
  for (const char* part :
       {"3 rounds", "1 core: DGEMM 6.0 GFlop/s", "frond, 2 threads", "ended by <signal> 11", "left out: A is singular",
        "gamma was not built: install its library (Debian: libgamma-dev)", "geometric means", "67 %"}) {
    EXPECT_TRUE(contains(table, part)) << part << '\n' << table;
  }
}

// Frond takes 1 s again on the first problem, and its peer 4 s.
TEST(BenchTable, TellsRefactorizationsOnlyIfTheyWereAskedFor) {
  BenchResults results = testing::fake_results();
  EXPECT_FALSE(contains(describe(results), "again"));
  EXPECT_FALSE(contains(bench_page(results), "again"));
  results.num_again = 5;
  for (BenchEntry& entry : results.problems[0].entries) {
    for (PeerAnswer& run : entry.runs) {
      run.again_factor_seconds = entry.contestant.program.is_frond() ? 0.75 : 3.5;
      run.again_solve_seconds = entry.contestant.program.is_frond() ? 0.25 : 0.5;
    }
  }
  const std::string table = describe(results);
  EXPECT_TRUE(contains(table, "total    again  / best\n")) << table;
  EXPECT_TRUE(contains(table, "        1    0.25\n")) << table;
  EXPECT_TRUE(contains(table, "        -       -\n")) << table;  // the second problem has none
  EXPECT_TRUE(contains(table, "peak    again\n")) << table;
  EXPECT_TRUE(contains(bench_page(results), "<th>again</th>"));
  const Json json = Json::parse(bench_json(results));
  EXPECT_EQ(json["again"], 5);
  EXPECT_EQ(json["mean_ratios_to_best_peer"][0]["again"], 0.25);
  EXPECT_EQ(json["problems"][0]["entries"][0]["runs"][0]["again_solve_seconds"], 0.25);
  EXPECT_EQ(json["problems"][0]["entries"][0]["medians"]["again_over_best_peer"], 0.25);
  EXPECT_TRUE(json["problems"][1]["entries"][0]["medians"]["again_seconds"].is_null());
}

TEST(BenchRecords, HoldEveryMeasurement) {
  const Json json = Json::parse(bench_json(testing::fake_results()));
  const Json& first = json["problems"][0];
  EXPECT_EQ(first["entries"][0]["runs"].size(), 3u);
  EXPECT_EQ(first["entries"][0]["runs"][2]["factor_seconds"], Json::array({3, 1.5}));
  EXPECT_EQ(first["entries"][0]["medians"]["factor_seconds"], 2);
  EXPECT_EQ(first["entries"][1]["medians"]["factor_over_best_peer"], 0.5);
  EXPECT_EQ(json["problems"][1]["entries"][4]["error"], "ended by <signal> 11");
  EXPECT_TRUE(json["problems"][1]["entries"][4]["medians"]["factor_seconds"].is_null());
  EXPECT_EQ(json["missing_peers"], Json::array({"gamma"}));
  EXPECT_EQ(json["machine"].size(), 4u);
}

TEST(BenchRecords, HaveAsManyColumnsInEveryLine) {
  std::istringstream table(bench_tsv(testing::fake_results()));
  int num_lines = 0;
  for (std::string line; std::getline(table, line); ++num_lines) {
    EXPECT_EQ(std::count(line.begin(), line.end(), '\t'), 17) << line;
  }
  EXPECT_EQ(num_lines, 1 + 7 + 7);  // the headers; 7 runs of the first problem; 6 of the second, and a failure
}

}  // namespace
}  // namespace frond::testing
