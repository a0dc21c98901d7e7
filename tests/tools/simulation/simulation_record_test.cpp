// SPDX-License-Identifier: BSD-3-Clause
// Tests the figures of two ranks, added up by hand.
#include "tools/simulation/simulation_record.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "factorization/ranks/main_message.hpp"

namespace frond {
namespace {

SimulationResult two_ranks() {
  SimulationResult result;
  result.seconds = 5;
  SimulatedRankCounts& first = result.ranks.emplace_back();
  first.busy_seconds = 1;
  first.peak_active_bytes = 800;
  first.peak_bytes = 5000;
  first.main.sent = {3, 30};
  first.main.sent_by_kind[0] = {3, 30};
  first.engine.decisions = 1;
  first.engine.slaves_chosen = 2;
  SimulatedRankCounts& second = result.ranks.emplace_back();
  second.busy_seconds = 3;
  second.peak_active_bytes = 1600;
  second.peak_bytes = 4000;
  second.main.sent = {4, 50};
  second.main.sent_by_kind[0] = {1, 20};
  second.main.sent_by_kind[7] = {3, 30};
  second.engine.refusals = 1;
  second.snapshot_seconds = 0.5;
  return result;
}

TEST(SimulationRecord, AddsUpRanks) {
  const SimulationTotals totals = totals_of(two_ranks());
  EXPECT_EQ(totals.mean_busy_seconds, 2);
  EXPECT_EQ(totals.load_imbalance, 1.5);
  EXPECT_EQ(totals.fullest_rank, 1);
  EXPECT_EQ(totals.peak_active_bytes, 1600);
  EXPECT_EQ(totals.mean_peak_active_bytes, 1200);
  EXPECT_EQ(totals.peak_bytes, 5000);
  EXPECT_EQ(totals.main.sent, (MessageCounts{7, 80}));
  EXPECT_EQ(totals.engine.decisions, 1);
  EXPECT_EQ(totals.engine.slaves_chosen, 2);
  EXPECT_EQ(totals.engine.refusals, 1);
  EXPECT_EQ(totals.snapshot_seconds, 0.5);
}

TEST(SimulationRecord, CountsMemoryInEntries) {
  const nlohmann::ordered_json json = simulation_json(two_ranks(), {}, 16);
  EXPECT_EQ(json["peak_active_entries_max"], 100);
  EXPECT_EQ(json["peak_active_entries_mean"], 75);
  EXPECT_EQ(json["peak_active_entries_per_rank"], (nlohmann::ordered_json{50, 100}));
  EXPECT_EQ(json["peak_active_rank"], 1);
  EXPECT_EQ(json["peak_bytes_per_rank"], (nlohmann::ordered_json{5000, 4000}));
  EXPECT_EQ(json["predicted_seconds"], 5);
}

TEST(SimulationRecord, CountsMessagesByType) {
  const nlohmann::ordered_json types = simulation_json(two_ranks(), {}, 8)["main_messages_by_type"];
  EXPECT_EQ(types["announce"], 4);
  EXPECT_EQ(types["rows"], 3);
  EXPECT_EQ(types["front"], 0);
  EXPECT_EQ(types.size(), kNumMainMessageKinds);
}

TEST(SimulationRecord, HasAnImbalanceWithoutWork) {
  SimulationResult result;
  result.ranks.resize(2);
  EXPECT_EQ(totals_of(result).load_imbalance, 0);
}

TEST(SimulationRecord, HoldsWhatIsLostAgainstTheWholeRun) {
  SimulationResult result = two_ranks();
  result.flops = 40;
  result.computed_seconds = 8;
  EXPECT_EQ(failure_cost(result).most_seconds, 0);
  result.lists = {{1, 5, 5}, {2, 20, 10}, {3, 40, 20}};
  EXPECT_DOUBLE_EQ(failure_cost(result).mean_seconds, 2);
  EXPECT_DOUBLE_EQ(failure_cost(result).most_seconds, 4);
}

}  // namespace
}  // namespace frond
