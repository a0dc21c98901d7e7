// SPDX-License-Identifier: BSD-3-Clause
// Tests decisions over MPI by every mechanism, with and without the load thread, and the costs of snapshots and of an idle load
// thread.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <tuple>

#include "loadinfo/load_service.hpp"
#include "loadinfo/messages/mpi/mpi_channel.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "tests/support/ranks/decision_run.hpp"
#include "tests/support/ranks/load_variants.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond::test {
namespace {

DecisionRun run_here(const DecisionRunSetup& setup) {
  const Communicator world = mpi_world(mpi_gate());
  MpiChannel channel(world.duplicate(), 200);  // room for two or three load messages
  return run_decisions(setup, channel, [&world](const std::vector<Count>& mine, const std::function<void()>& meanwhile) {
    return sum_over_ranks(world, mine, meanwhile);
  });
}

class DecisionsOverMpi : public ::testing::TestWithParam<LoadVariant> {
 protected:
  [[nodiscard]] static DecisionRunSetup setup(int num_decisions) {
    return {.exchange = {.mechanism = std::get<0>(GetParam()), .threshold = {}},
            .service = {.use_thread = std::get<1>(GetParam())},
            .threads_may_call = mpi_gate()->threads_may_call(),
            .num_decisions = num_decisions};
  }
};
INSTANTIATE_TEST_SUITE_P(All, DecisionsOverMpi, all_load_variants(), name_of_variant);

TEST_P(DecisionsOverMpi, AreTakenAndSeeEachOther) {
  const DecisionRun run = run_here(setup(25));
  EXPECT_EQ(run.failure, "");
  EXPECT_EQ(run.own.num_wake_ups > 0, std::get<1>(GetParam()) && mpi_gate()->threads_may_call());
}

TEST_P(DecisionsOverMpi, CostWhatTheMechanismPromises) {
  constexpr Count kNumDecisions = 25;
  DecisionRunSetup one_master = setup(kNumDecisions);
  one_master.one_master = true;
  const DecisionRun run = run_here(one_master);
  EXPECT_EQ(run.failure, "");
  const Count others = mpi_world(mpi_gate()).num_ranks() - 1;
  const LoadMechanism mechanism = std::get<0>(GetParam());
  const bool asks = mechanism == LoadMechanism::snapshot || mechanism == LoadMechanism::partial_snapshot;
  LoadMessageCounts expected;
  const auto expect_per_decision = [&](LoadMessageKind kind, Count num) {
    expected.messages[static_cast<std::size_t>(kind)] = num * kNumDecisions;
  };
  for (const auto kind : {LoadMessageKind::start, LoadMessageKind::answer, LoadMessageKind::reservation, LoadMessageKind::end}) {
    expect_per_decision(kind, asks ? others : 0);
  }
  expect_per_decision(LoadMessageKind::update, asks ? 0 : others);
  expect_per_decision(LoadMessageKind::master_to_all, mechanism == LoadMechanism::increments ? others : 0);
  EXPECT_EQ(run.total.messages, expected.messages);
}

TEST(SnapshotOverMpi, CostsThreeMessagesPerOtherRankAndWastedAnswersUnderContention) {
  constexpr Count kNumDecisions = 25;
  DecisionRunSetup setup;
  setup.exchange.mechanism = LoadMechanism::snapshot;
  setup.threads_may_call = mpi_gate()->threads_may_call();
  setup.num_decisions = kNumDecisions;
  const DecisionRun run = run_here(setup);
  EXPECT_EQ(run.failure, "");
  const Count num_ranks = mpi_world(mpi_gate()).num_ranks();
  const Count num_decisions = kNumDecisions * num_ranks;
  const Count num_answers = run.total.num_messages(LoadMessageKind::answer);
  EXPECT_EQ(run.total.num_messages(LoadMessageKind::start), num_decisions * (num_ranks - 1));
  EXPECT_EQ(run.total.num_messages(LoadMessageKind::end), num_decisions * (num_ranks - 1));
  EXPECT_EQ(run.total.num_messages(LoadMessageKind::reservation), num_decisions * (num_ranks - 1));
  EXPECT_GE(num_answers, num_decisions * (num_ranks - 1));
  EXPECT_LE(num_answers, num_decisions * (num_ranks - 1) * num_ranks / 2);  // (P - 1) (P - 2) / 2 wasted ones per decision
}

TEST(LoadThreadOverMpi, CostsLittleWhileItIsIdle) {
  if (!mpi_gate()->threads_may_call()) {
    GTEST_SKIP() << "MPI does not allow a load thread";
  }
  const Communicator world = mpi_world(mpi_gate());
  MpiChannel channel(world.duplicate(), 1000);
  const auto service = make_load_service({}, channel, {.mechanism = LoadMechanism::snapshot, .threshold = {}}, true);
  const double before = service->counts().cpu_seconds;
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_LT(service->counts().cpu_seconds - before, 0.5 * 0.10);  // a tenth of a core; it is about 0.3 % on a machine at rest
  (void)sum_over_ranks(world, {0}, [] {});
}

}  // namespace
}  // namespace frond::test
