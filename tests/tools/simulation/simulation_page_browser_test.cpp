// SPDX-License-Identifier: BSD-3-Clause
// Opens the page of a sweep in a browser: its script must run, and everything must be in place and readable, on wide and narrow,
// light and dark screens. measure_page.js does the measurements, in a copy of the page.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/programs/browser.hpp"
#include "tests/support/programs/json_values.hpp"
#include "tests/tools/simulation/sample_sweep.hpp"
#include "tools/simulation/simulation_page.hpp"

namespace frond::testing {
namespace {

using SimulationPageInBrowser = testing::PageInBrowser;

TEST_F(SimulationPageInBrowser, IsLaidOutOnAnyScreen) {
  testing::SampledSweep sweep = sample_sweep({});
  sweep.record["failed_runs"].push_back(
      {{"ranks", 16},
       {"load_exchange", "partial-snapshot"},
       {"schedule", "flops"},
       {"load_thread", false},
       {"error", "the memory limit does not suffice: rank 7 needs 1.31 GB for its part of node 12345"}});
  const std::string page = sweep.page();
  for (const Screen& screen : {Screen{1200, false}, Screen{600, true}}) {
    SCOPED_TRACE(screen.width);
    const Json measured = measure(page, screen);
    expect_no_fault(measured);
    expect_values(measured,
                  {{"darkGround", screen.is_dark}, {"sections", 7}, {"charts", 3 * 4 + 2}, {"spans", 8 * 12}, {"nodes", 15}});
  }
}

TEST_F(SimulationPageInBrowser, SortsItsTable) {
  const Json measured = measure(sample_sweep({}).page());
  const auto rising = measured["risingTimes"].get<std::vector<double>>();
  auto falling = measured["fallingTimes"].get<std::vector<double>>();
  EXPECT_EQ(rising.size(), 64u);
  EXPECT_TRUE(std::is_sorted(rising.begin(), rising.end()));
  std::reverse(falling.begin(), falling.end());
  EXPECT_EQ(falling, rising);
}

TEST_F(SimulationPageInBrowser, IsLaidOutForOneNumberOfRanks) {
  expect_no_fault(measure(sample_sweep({"<b>x</b>.mtx", {3}}).page()));
}

TEST_F(SimulationPageInBrowser, IsLaidOutForASingleRun) {
  expect_no_fault(measure(sample_sweep({"A.mtx", {1}, {"increments"}, {"memory"}, {true}, 1, 1}).page(), {600}));
}

TEST_F(SimulationPageInBrowser, IsLaidOutForManyRanksAndNodes) {
  const Json measured = measure(
      sample_sweep({"A.mtx", {24, 32, 48, 64, 96, 128, 192, 256, 512, 1024}, {"naive", "snapshot"}, {"flops"}, {true}, 90, 11})
          .page());
  expect_no_fault(measured);
  expect_values(measured, {{"nodes", 300}, {"spans", 0}});
}

TEST_F(SimulationPageInBrowser, IsLaidOutWithoutRuns) { expect_no_fault(measure(sample_sweep({"A.mtx", {}}).page())); }

// Tests the measurements themselves on a page with every fault.
TEST_F(SimulationPageInBrowser, IsMeasuredByAScriptThatFindsFaults) {
  const Json measured = measure(R"(<!DOCTYPE html>
<html><head><meta charset="utf-8"/></head><body style="background: white">
<script>addEventListener("error", event => { document.documentElement.dataset.error = event.message; }); missing();</script>
<section style="width: 2000px; height: 50px; margin-bottom: -20px">a</section>
<section><p style="color: #ccc">pale</p><h2></h2>
<table style="table-layout: fixed; width: 40px"><tbody><tr><td style="overflow: hidden; white-space: nowrap">too long for it</td></tr></tbody></table>
<svg width="100" height="50"><text x="5" y="20">one</text><text x="15" y="20">two</text><text x="80" y="45">outside</text></svg>
</section></body></html>)");
  EXPECT_EQ(measured["ready"], "");
  EXPECT_NE(measured["error"], "");
  expect_values(measured, {{"pageIsTooWide", true},
                           {"withoutSize", Json::array({"H2. "})},
                           {"outside", Json::array({"text. outside"})},
                           {"overlaps", Json::array({"text. one | text. two"})}});
  EXPECT_EQ(measured["overlappingSections"].size(), 1u);
  EXPECT_EQ(measured["cellsThatAreTooNarrow"], Json::array({"TD. too long for it"}));
  EXPECT_EQ(measured["paleTexts"], Json::array({"P. pale"}));
}

}  // namespace
}  // namespace frond::testing
