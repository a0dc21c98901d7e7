// SPDX-License-Identifier: BSD-3-Clause
// Runs frond simulate as a user would: predictions must be consistent, and the same in every run.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/programs/documented_keys.hpp"
#include "tests/tools/simulation/simulate_fixture.hpp"

namespace frond {
namespace {

using Json = nlohmann::json;

using Simulate = testing::SimulateTest;

double sum(const Json& list) {
  return std::accumulate(list.begin(), list.end(), 0.0, [](double total, const Json& item) { return total + item.get<double>(); });
}

double largest(const Json& list) {
  double most = 0;
  for (const Json& item : list) {
    most = std::max(most, item.get<double>());
  }
  return most;
}

TEST_F(Simulate, PredictsWhatHangsTogether) {
  for (const char* schedule : {"flops", "memory"}) {
    for (const char* exchange : {"naive", "increments", "local-increments", "snapshot", "partial-snapshot"}) {
      SCOPED_TRACE(std::string(exchange) + " " + schedule);
      const Json run = simulate({"--ranks", "8", "--load-exchange", exchange, "--schedule", schedule});
      EXPECT_EQ(run["flops_per_rank"].size(), 8u);
      EXPECT_NEAR(sum(run["flops_per_rank"]), sum(run["predicted_flops_per_rank"]), 1e-6 * sum(run["flops_per_rank"]));
      EXPECT_GT(run["dynamic_decisions"], 0);
      testing::expect_values(run, {{"dynamic_decisions", run["nodes_type2"]}, {"slave_refusals", 0}});
      EXPECT_GE(run["predicted_seconds"], largest(run["busy_seconds_per_rank"]));
      EXPECT_EQ(run["peak_active_entries_max"], largest(run["peak_active_entries_per_rank"]));
      EXPECT_GT(run["main_messages"], 0);
      EXPECT_EQ(sum(run["load_messages_by_type"]), run["load_messages"]);
    }
  }
}

TEST_F(Simulate, LetsRanksWithoutWorkTakeThatOfASlowOne) {
  ASSERT_EQ(run({"generate", "laplacian2d9", "200", "-o", matrix()}).exit_code, 0);
  const auto simulate_by = [this](const std::string& how) {
    return simulate({"--ranks", "4", "--slow", "3:4", "--load-exchange", "increments", "--work", how});
  };
  const Json fixed = simulate_by("static");
  testing::expect_values(fixed, {{"work", "static"}, {"tasks_taken", 0}, {"request_rounds", 0}});
  for (const char* how : {"ring", "random", "loaded", "pool"}) {
    SCOPED_TRACE(how);
    const Json shared = simulate_by(how);
    EXPECT_EQ(shared["work"], how);
    EXPECT_GT(shared["tasks_taken"], 0);
    // A request brings several tasks at once; from the pool, perhaps only the rank's own.
    EXPECT_LT(shared["empty_request_rounds"], shared["request_rounds"]);
    EXPECT_LT(shared["predicted_seconds"], fixed["predicted_seconds"]);
    EXPECT_NEAR(sum(shared["flops_per_rank"]), sum(fixed["flops_per_rank"]), 1e-6 * sum(fixed["flops_per_rank"]));
    EXPECT_LT(shared["flops_per_rank"][3], fixed["flops_per_rank"][3]);
    EXPECT_EQ(shared, simulate_by(how)) << "the same in every run";
  }
}

TEST_F(Simulate, RefusesChunksThatNobodyGives) {
  expect_end({"simulate", matrix(), "--work", "ring", "--chunks", "gss"}, 2, "chunks are for --work pool");
}

TEST_F(Simulate, PutsTheRootOnOneRankOfEachCore) {
  ASSERT_EQ(run({"generate", "laplacian3d7", "26", "-o", matrix()}).exit_code, 0);
  const Json alone = simulate({"--ranks", "4"});
  EXPECT_EQ(alone["grid_rows"].get<int>() * alone["grid_cols"].get<int>(), 4);
  const Json crowded = simulate({"--ranks", "4", "--hosts", "1", "--cores", "2"});
  EXPECT_EQ(crowded["grid_rows"].get<int>() * crowded["grid_cols"].get<int>(), 2);
  EXPECT_EQ(simulate({"--ranks", "4", "--hosts", "1"})["nodes_type3"], 0);
}

TEST_F(Simulate, HelpsWithExamples) { expect_end({"simulate", "--help"}, 0, "frond simulate A.mtx --ranks 64"); }

TEST_F(Simulate, RefusesWrongUsageWithCode2) {
  EXPECT_EQ(run({"simulate"}).exit_code, 2);
  EXPECT_EQ(run({"simulate", matrix(), "--ranks", "0"}).exit_code, 2);
  EXPECT_EQ(run({"simulate", matrix(), "--latency", "-1"}).exit_code, 2);
  EXPECT_EQ(run({"simulate", "absent.mtx"}).exit_code, 2);
}

TEST_F(Simulate, WritesTheKeysThatAreDocumentedAndNoOthers) {
  testing::expect_documented_keys(simulate({"--ranks", "4"}), FROND_DOCS "/simulation.md");
}

TEST_F(Simulate, IsTheSameInEveryRun) {
  const std::vector<std::string> arguments = {"--ranks", "12", "--load-exchange", "snapshot", "--schedule", "memory"};
  EXPECT_EQ(output_of(arguments), output_of(arguments));
}

TEST_F(Simulate, NeedsNoMessagesOnOneRank) {
  const Json run = simulate({"--ranks", "1"});
  testing::expect_values(run, {{"main_messages", 0}, {"load_messages", 0}, {"predicted_seconds", run["busy_seconds_mean"]}});
}

TEST_F(Simulate, TakesLongerOnSlowCoresAndSlowNetworks) {
  const double seconds = simulate({"--ranks", "8"})["predicted_seconds"];
  EXPECT_GT(simulate({"--ranks", "8", "--flops", "5e8"})["predicted_seconds"], 2 * seconds);
  EXPECT_GT(simulate({"--ranks", "8", "--latency", "1e-3"})["predicted_seconds"], 1.2 * seconds);
  EXPECT_GT(simulate({"--ranks", "8", "--bandwidth", "1e7"})["predicted_seconds"], 1.2 * seconds);
}

// Without a load thread, a computing rank answers only when its task has ended.
TEST_F(Simulate, WaitsLongerForSnapshotsWithoutALoadThread) {
  const std::vector<std::string> with = {"--ranks", "16", "--flops", "1e8", "--load-exchange", "snapshot", "--load-thread", "on"};
  std::vector<std::string> without = with;
  without.back() = "off";
  EXPECT_GT(simulate(without)["snapshot_seconds"], 2 * simulate(with)["snapshot_seconds"].get<double>());
}

TEST_F(Simulate, EndsWithCode4WhereMemoryDoesNotSuffice) {
  expect_end({"simulate", matrix(), "--ranks", "8", "--memory-limit", "100kB"}, 4, "bytes");
}

}  // namespace
}  // namespace frond
