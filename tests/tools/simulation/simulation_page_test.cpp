// SPDX-License-Identifier: BSD-3-Clause
// Tests the page of a sweep as text: it holds everything, and needs no other file.
#include "tools/simulation/simulation_page.hpp"

#include <gtest/gtest.h>

#include "tests/support/programs/tag_error.hpp"
#include "tests/tools/simulation/sample_sweep.hpp"
#include "tools/program/page/human_figures.hpp"

namespace frond::testing {
namespace {

using OrderedJson = nlohmann::ordered_json;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Returns a sweep of one run of this matrix.
SampleSweep single_run(const std::string& matrix) { return {matrix, {4}, {"increments"}, {"memory"}, {true}}; }

void add_failed_run(SampledSweep& sweep, const std::string& error) {
  sweep.record["failed_runs"].push_back(
      {{"ranks", 64}, {"load_exchange", "snapshot"}, {"schedule", "flops"}, {"load_thread", false}, {"error", error}});
}

TEST(SimulationPage, IsWellFormedAndNeedsNothingElse) {
  SampledSweep sweep = sample_sweep({});
  add_failed_run(sweep, "the memory limit does not suffice");
  const std::string page = sweep.page();
  EXPECT_EQ(tag_error(page), "");
  for (const char* reference : {"http:", "https:", "//", "src=", "href=", "url(", "@import", "fetch(", "nan", "inf"}) {
    EXPECT_FALSE(contains(page, reference)) << reference;
  }
  EXPECT_TRUE(contains(page, "prefers-color-scheme: dark"));
  EXPECT_TRUE(contains(page, "@media print"));
}

TEST(SimulationPage, TellsTheFiguresOfEveryRun) {
  const SampledSweep sweep = sample_sweep({});
  const std::string page = sweep.page();
  EXPECT_EQ(count_of(page, "<tr><td data-value") + count_of(page, "<tr class=\"shown\"><td data-value"), 64);
  for (const OrderedJson& run : sweep.record["runs"]) {
    const auto number = [&](const char* key) { return run[key].get<double>(); };
    const std::string cells = ">" + format_count(number("ranks")) + "</td><td class=\"text\">";
    EXPECT_TRUE(contains(page, cells)) << run;
    for (const std::string& figure :
         {format_three_digits(number("predicted_seconds")), format_scaled(number("peak_active_entries_max")),
          format_scaled(number("peak_active_entries_mean")), format_scaled(number("peak_bytes_max")),
          format_count(number("main_messages")), format_scaled(number("main_message_bytes")), format_count(number("load_messages")),
          format_scaled(number("load_message_bytes")),
          format_count(number("slaves_chosen")) + " / " + format_count(number("dynamic_decisions"))}) {
      EXPECT_TRUE(contains(page, ">" + figure + "</td>")) << figure << '\n' << run;
    }
  }
}

// Four mechanisms appear in four charts each for time, memory and load messages.
TEST(SimulationPage, DrawsAChartForEachScheduleAndLoadThread) {
  const std::string page = sample_sweep({}).page();
  EXPECT_EQ(count_of(page, "<figure>"), 12);
  EXPECT_EQ(count_of(page, "<figcaption>schedule memory, load thread off</figcaption>"), 3);
  EXPECT_EQ(count_of(page, ": 0 messages</title>"), 16);  // on one rank
  const std::string single = sample_sweep({"A.mtx", {2, 4}, {"naive", "snapshot"}, {"flops"}, {true}}).page();
  EXPECT_EQ(count_of(single, "<figure>"), 3);
  EXPECT_FALSE(contains(single, "<figcaption>"));
}

TEST(SimulationPage, NamesTheBestRuns) {
  SampledSweep sweep = sample_sweep({"A.mtx", {4, 8}, {"naive"}, {"flops"}, {true}});
  sweep.record["runs"][0]["predicted_seconds"] = 3;
  sweep.record["runs"][1]["predicted_seconds"] = 2;
  sweep.record["runs"][0]["peak_active_entries_max"] = 1.5e6;
  sweep.record["runs"][1]["peak_active_entries_max"] = 3e6;
  const std::string page = sweep.page();
  EXPECT_TRUE(contains(page, "8 ranks: naive, schedule flops, load thread on. It takes 2.00 times as much active memory")) << page;
  EXPECT_TRUE(contains(page, "4 ranks: naive, schedule flops, load thread on. It takes 1.50 times as long as the fastest."));
}

TEST(SimulationPage, EscapesWhatItIsGiven) {
  SampledSweep sweep = sample_sweep(single_run("<b>x</b>.mtx"));
  sweep.record["runs"][0]["load_exchange"] = "<i>\"m\"</i>";
  sweep.record["runs"][0]["schedule"] = "a & b";
  sweep.record["method"] = "<method>";
  sweep.record["runs"][0]["load_messages_by_type"] = {{"<t>", 1}};
  add_failed_run(sweep, "1 < 2 && \"3\" > </td>");
  const std::string page = sweep.page();
  EXPECT_EQ(tag_error(page), "");
  for (const char* text :
       {"<title>&lt;b&gt;x&lt;/b&gt;.mtx", "<h1>&lt;b&gt;x&lt;/b&gt;.mtx</h1>", "&lt;i&gt;&quot;m&quot;&lt;/i&gt;", "a &amp; b",
        "&lt;method&gt;", "&lt;t&gt; 1", "1 &lt; 2 &amp;&amp; &quot;3&quot; &gt; &lt;/td&gt;"}) {
    EXPECT_TRUE(contains(page, text)) << text;
  }
  for (const char* text : {"<b>x", "<i>\"m\"", "<method>", "<t>"}) {
    EXPECT_FALSE(contains(page, text)) << text;
  }
}

TEST(SimulationPage, IsThereForASingleRun) {
  const std::string page = sample_sweep(single_run("A.mtx")).page();
  EXPECT_EQ(tag_error(page), "");
  EXPECT_EQ(count_of(page, "<figure>"), 3);
  EXPECT_FALSE(contains(page, "times as long"));
  EXPECT_FALSE(contains(page, "over the best"));
  EXPECT_FALSE(contains(page, "d=\"M\""));
}

TEST(SimulationPage, IsThereWithoutRuns) {
  SampledSweep sweep = sample_sweep({"A.mtx", {}});
  EXPECT_TRUE(contains(sweep.page(), "No run has come to its end"));
  EXPECT_EQ(tag_error(sweep.page()), "");
  add_failed_run(sweep, "too little memory");
  EXPECT_TRUE(contains(sweep.page(), "too little memory"));
  EXPECT_EQ(tag_error(sweep.page()), "");
}

TEST(SimulationPage, LeavesOutTimelineAndTreeWhereThereAreNone) {
  SampledSweep sweep = sample_sweep(single_run("A.mtx"));
  sweep.shown = {};
  const std::string page = sweep.page();
  EXPECT_EQ(tag_error(page), "");
  EXPECT_FALSE(contains(page, "class=\"marks\""));
  EXPECT_FALSE(contains(page, "class=\"node "));
}

// Four ranks with 12 spans each; a binary tree of four levels.
TEST(SimulationPage, HasAMarkForEverySpanAndNode) {
  const std::string page = sample_sweep(single_run("A.mtx")).page();
  EXPECT_EQ(count_of(page, "<rect class=\"mark role-"), 48);
  EXPECT_EQ(count_of(page, "<g class=\"node role-"), 15);
  EXPECT_EQ(count_of(page, "<g class=\"node role-subtree\""), 8);
  EXPECT_EQ(count_of(page, "<g class=\"node role-sequential\""), 4);
  EXPECT_EQ(count_of(page, "<g class=\"node role-master\""), 2);
  EXPECT_EQ(count_of(page, "<g class=\"node role-grid\""), 1);
  EXPECT_TRUE(
      contains(page, "node 1 (type 3: grid of ranks), master 1: order 6\u202f000, 2\u202f000 fully summed, 1.00\u202fTflop"));
}

TEST(SimulationPage, StaysSmallWhateverTheTimelineIsLike) {
  const std::string page = sample_sweep({"A.mtx", {1024}, {"naive"}, {"flops"}, {true}, 150, 12}).page();
  EXPECT_EQ(tag_error(page), "");
  EXPECT_LT(page.size(), 1100000u);
  EXPECT_EQ(count_of(page, "<g class=\"node role-"), 300);
  EXPECT_TRUE(contains(page, "3\u202f795 further nodes are not"));  // of 2^12 - 1
}

}  // namespace
}  // namespace frond::testing
