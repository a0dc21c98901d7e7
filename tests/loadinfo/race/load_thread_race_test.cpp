// SPDX-License-Identifier: BSD-3-Clause
// Tests the load thread next to the thread of its engine: decisions, wake-ups, errors, end. Runs under ThreadSanitizer as well.
#include "loadinfo/load_thread.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "frond/error.hpp"
#include "tests/support/ranks/concurrent_network.hpp"
#include "tests/support/ranks/decision_run.hpp"
#include "tests/support/ranks/load_variants.hpp"
#include "tests/support/run_threads.hpp"

namespace frond::test {
namespace {

using std::chrono::microseconds;

constexpr LoadServiceOptions kNeverByItself = {.shortest_period = std::chrono::hours(1), .longest_period = std::chrono::hours(1)};

// Runs each rank on its own thread, with its load thread if it has one.
std::vector<DecisionRun> run_ranks(const DecisionRunSetup& setup, Rank num_ranks) {
  ConcurrentNetwork network(num_ranks, 1, 1);  // one message of each rank under way at a time
  ThreadSum sum(num_ranks);
  std::vector<DecisionRun> runs(static_cast<std::size_t>(num_ranks));
  testing::run_threads(num_ranks, [&](Rank rank) { runs[rank] = run_decisions(setup, network.channel(rank), std::ref(sum)); });
  EXPECT_GT(network.num_refused(), 0);
  return runs;
}

class Decisions : public ::testing::TestWithParam<LoadVariant> {};
INSTANTIATE_TEST_SUITE_P(All, Decisions, all_load_variants(), name_of_variant);

TEST_P(Decisions, AreTakenAndSeeEachOther) {
  const auto [mechanism, use_thread] = GetParam();
  const DecisionRunSetup setup = {.exchange = {.mechanism = mechanism, .threshold = {}},
                                  .service = {.use_thread = use_thread, .longest_period = microseconds(200)},
                                  .num_decisions = 10};
  for (const DecisionRun& run : run_ranks(setup, 4)) {
    EXPECT_EQ(run.failure, "");
    EXPECT_EQ(run.own.num_wake_ups > 0, use_thread);
  }
}

TEST(LoadThread, IsWokenByWhatTheEngineSends) {
  VirtualNetwork network(2, 1, 1000, 1);
  LoadThread thread(kNeverByItself, network.channel(0, 0), {.mechanism = LoadMechanism::naive, .threshold = {}});
  while (thread.counts().num_wake_ups < 1) {
    std::this_thread::yield();
  }
  thread.with_exchange([](LoadExchange& exchange) { exchange.vary({1, 0}); });
  while (thread.counts().num_wake_ups < 2) {  // forever if it were not woken
    std::this_thread::yield();
  }
  thread.with_exchange([](const LoadExchange& exchange) { EXPECT_EQ(exchange.load(), (Load{1, 0})); });
  EXPECT_EQ(thread.counts().num_wake_ups, 2);
  EXPECT_EQ(thread.counts().sent.total_messages(), 1);
}

TEST(LoadThread, LeavesMessagesToALoopThatLooks) {
  VirtualNetwork network(2, 1, 1000, 1);
  LoadThread thread(kNeverByItself, network.channel(0, 0), {.mechanism = LoadMechanism::naive, .threshold = {}});
  while (thread.counts().num_wake_ups < 1) {
    std::this_thread::yield();
  }
  EXPECT_EQ(thread.serve(), 0);
  LoadServer other(network.channel(0, 1), {.mechanism = LoadMechanism::naive, .threshold = {}});
  other.with_exchange([](LoadExchange& exchange) { exchange.vary({1, 0}); });
  ASSERT_TRUE(network.deliver());
  EXPECT_EQ(thread.serve(), 1);
  EXPECT_EQ(thread.counts().num_received, 1);
}

TEST(LoadThread, SleepsLongerWhileItIsQuiet) {
  VirtualNetwork network(1, 1, 1000, 1);
  const auto start = std::chrono::steady_clock::now();
  LoadThread thread({.shortest_period = microseconds(1000), .longest_period = microseconds(8000)}, network.channel(0, 0), {});
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const LoadServiceCounts counts = thread.counts();
  const auto elapsed = std::chrono::steady_clock::now() - start;
  // Ten looks while the sleep grows from 1 to 8 ms, then one every 8 ms; a busy machine allows fewer.
  EXPECT_LE(counts.num_wake_ups, 11 + elapsed / microseconds(8000));
  EXPECT_GT(counts.cpu_seconds, 0);
}

TEST(LoadThread, TellsItsOwnerWhatHasStoppedIt) {
  ConcurrentNetwork network(2, 1000, 1);
  LoadThread thread({}, network.channel(0), {.mechanism = LoadMechanism::snapshot, .threshold = {}});
  while (thread.counts().num_wake_ups < 1) {
    std::this_thread::yield();
  }
  const std::vector<std::byte> garbage(3, std::byte{255});
  ASSERT_TRUE(network.channel(1).send(0, std::span<const std::byte>(garbage)));
  const auto serve_for_ever = [&thread] {
    while (thread.serve() == 0) {
      std::this_thread::yield();
    }
  };
  EXPECT_THROW(serve_for_ever(), InternalError);
  EXPECT_THROW(thread.with_exchange([](LoadExchange&) { FAIL() << "the exchange of a service that has stopped"; }), InternalError);
  EXPECT_GT(thread.counts().cpu_seconds, 0);
}

TEST(LoadThread, GoesOnAfterTheEngineHasThrown) {
  VirtualNetwork network(1, 1, 1000, 1);
  LoadThread thread({}, network.channel(0, 0), {});
  EXPECT_THROW(thread.with_exchange([](LoadExchange& exchange) { exchange.decide({}); }), InternalError);
  EXPECT_EQ(thread.serve(), 0);
  EXPECT_EQ(thread.with_exchange([](const LoadExchange& exchange) { return exchange.num_ranks(); }), 1);
}

}  // namespace
}  // namespace frond::test
