// SPDX-License-Identifier: BSD-3-Clause
// Tests long random runs of every mechanism, from one rank to 64, over small buffers: properties, fairness and exact numbers of
// messages.
#include "tests/support/ranks/random_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <random>
#include <vector>

#include "loadinfo/mechanisms/increments.hpp"
#include "loadinfo/mechanisms/partial_snapshot.hpp"
#include "loadinfo/mechanisms/snapshot.hpp"

namespace frond::test {
namespace {

using Kind = LoadMessageKind;

std::uint32_t fresh_seed() { return std::random_device{}(); }

// Takes about a thousand decisions for every number of ranks, but at least two per rank.
RandomRunSetup setup_for(LoadMechanism mechanism, Rank num_ranks) {
  return {.options = {.mechanism = mechanism, .threshold = {50, 50}},
          .num_ranks = num_ranks,
          .decisions_per_rank = std::max(2, 400 / num_ranks),
          .seed = fresh_seed()};
}

struct Case {
  LoadMechanism mechanism;
  Rank num_ranks;
};

class RandomRuns : public ::testing::TestWithParam<Case> {};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const LoadMechanism mechanism :
       {LoadMechanism::naive, LoadMechanism::increments, LoadMechanism::snapshot, LoadMechanism::partial_snapshot}) {
    for (const Rank num_ranks : {1, 2, 3, 5, 8, 16, 64}) {
      cases.push_back({mechanism, num_ranks});
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, RandomRuns, ::testing::ValuesIn(all_cases()), [](const auto& test) {
  const LoadMechanism mechanism = test.param.mechanism;
  const std::string name = mechanism == LoadMechanism::partial_snapshot ? "partial" : std::string(to_string(mechanism));
  return name + std::to_string(test.param.num_ranks);
});

TEST_P(RandomRuns, KeepTheirPromises) {
  const RandomRunSetup setup = setup_for(GetParam().mechanism, GetParam().num_ranks);
  const RandomRun run = run_randomly(setup);
  EXPECT_EQ(run.failure, "") << "seed " << setup.seed;
  EXPECT_EQ(run.num_decisions, Count{setup.num_ranks} * setup.decisions_per_rank) << "seed " << setup.seed;
  if (setup.num_ranks >= 8) {
    EXPECT_GT(run.num_refused, 0) << "seed " << setup.seed;
  }
}

// Expects P - 1 starts, answers and ends per decision, a reservation per slave, and answers wasted on requests that were overtaken.
void expect_snapshot_counts(const RandomRunSetup& setup, const RandomRun& run, Count least_wasted, Count most_wasted) {
  const Count per_decision = setup.num_ranks - 1;
  EXPECT_EQ(run.failure, "") << "seed " << setup.seed;
  EXPECT_EQ(run.counts.num_messages(Kind::start), run.num_decisions * per_decision) << "seed " << setup.seed;
  EXPECT_EQ(run.counts.num_messages(Kind::end), run.num_decisions * per_decision) << "seed " << setup.seed;
  EXPECT_EQ(run.counts.num_messages(Kind::reservation), run.num_slaves) << "seed " << setup.seed;
  const Count wasted = run.counts.num_messages(Kind::answer) - run.num_decisions * per_decision;
  EXPECT_GE(wasted, least_wasted) << "seed " << setup.seed;
  EXPECT_LE(wasted, most_wasted) << "seed " << setup.seed;
  EXPECT_EQ(run.counts.total_messages(), 3 * run.num_decisions * per_decision + run.num_slaves + wasted) << "seed " << setup.seed;
  std::cout << setup.num_ranks << " ranks, " << run.num_decisions << " decisions: " << wasted << " answers wasted, "
            << run.most_overtaken << " overtaken\n";
}

TEST(RandomRunsOfTheSnapshot, CostExactlyWhatIsPromised) {
  for (const Rank num_ranks : {2, 3, 8, 32}) {
    RandomRunSetup setup = setup_for(LoadMechanism::snapshot, num_ranks);
    const RandomRun contended = run_randomly(setup);
    const Count most_in_a_round = Count{num_ranks - 1} * (num_ranks - 2) / 2;
    expect_snapshot_counts(setup, contended, 0, contended.num_decisions * most_in_a_round);
    setup.one_master = true;
    expect_snapshot_counts(setup, run_randomly(setup), 0, 0);
  }
}

// Every other request overtakes at most once, and one more decision may fall into a round that was given up before asking.
TEST(RandomRunsOfTheSnapshot, AreFair) {
  for (const Rank num_ranks : {2, 3, 8, 32}) {
    const RandomRunSetup setup = setup_for(LoadMechanism::snapshot, num_ranks);
    EXPECT_LE(run_randomly(setup).most_overtaken, num_ranks) << "seed " << setup.seed;
  }
}

// A start and an end per candidate, an answer for each start and each yield, at most one revocation per start. A rank sends no
// messages to itself.
TEST(RandomRunsOfThePartialSnapshot, CostExactlyWhatIsPromised) {
  for (const Rank num_ranks : {3, 8, 32}) {
    const RandomRunSetup setup = setup_for(LoadMechanism::partial_snapshot, num_ranks);
    const RandomRun run = run_randomly(setup);
    const Count num_starts = run.counts.num_messages(Kind::start);
    const Count num_yields = run.counts.num_messages(Kind::yield);
    EXPECT_LT(num_starts, run.num_candidates) << "seed " << setup.seed;
    EXPECT_GT(num_starts, run.num_candidates - run.num_decisions) << "seed " << setup.seed;
    EXPECT_EQ(run.counts.num_messages(Kind::end), num_starts) << "seed " << setup.seed;
    EXPECT_EQ(run.counts.num_messages(Kind::answer), num_starts + num_yields) << "seed " << setup.seed;
    EXPECT_EQ(run.counts.num_messages(Kind::reservation), run.num_slaves) << "seed " << setup.seed;
    EXPECT_LE(num_yields, run.counts.num_messages(Kind::revoke)) << "seed " << setup.seed;
    EXPECT_LE(run.counts.num_messages(Kind::revoke), run.num_candidates) << "seed " << setup.seed;
    EXPECT_GT(num_yields, 0) << "seed " << setup.seed;
  }
}

// The larger the threshold, the fewer updates; reservations are always sent.
TEST(RandomRunsOfIncrements, SendFewerUpdatesBeyondAThreshold) {
  RandomRunSetup setup = setup_for(LoadMechanism::increments, 8);
  setup.options.threshold = {};
  const RandomRun all = run_randomly(setup);
  setup.options.threshold = {500, 500};
  const RandomRun few = run_randomly(setup);
  EXPECT_EQ(all.failure + few.failure, "") << "seed " << setup.seed;
  EXPECT_LT(4 * few.counts.num_messages(Kind::update), all.counts.num_messages(Kind::update)) << "seed " << setup.seed;
  EXPECT_GT(few.counts.num_messages(Kind::master_to_all), 0) << "seed " << setup.seed;
  EXPECT_GT(all.num_negative, 0) << "seed " << setup.seed
                                 << ": a task ended before its reservation came, and the load was negative";
}

// Planted faults: the driver must find each within a hundred seeds, by the property named or, without a name, by any property.

struct TagsUnchecked : SnapshotRules {
  static bool is_usable(Count /*given_up*/, Count /*round*/) { return true; }
  static bool is_current(Count given_up, Count /*round*/) { return given_up != kNoRound; }
};
struct NoPreemption : SnapshotRules {
  static bool preempts(const SnapshotRequest& /*best*/, const SnapshotRequest& /*answered*/) { return false; }
};
struct GrantKept : PartialSnapshotRules {
  static void give_back(PartialSnapshotState& /*state*/, Rank /*candidate*/) {}
};
struct ArrivalCounted : IncrementsRules {
  static Load variation_on_arrival(const Load& cost, const Load& /*reserved*/) { return cost; }
};

void expect_found(RandomRunSetup setup, const std::string& name) {
  const std::uint32_t first_seed = setup.seed;
  for (int trial = 0; trial < 100; ++trial, ++setup.seed) {
    if (const std::string failure = run_randomly(setup).failure; !failure.empty()) {
      EXPECT_EQ(failure.substr(0, name.size()), name);
      return;
    }
  }
  FAIL() << "not found in a hundred seeds from " << first_seed;
}

template <class Machine>
RandomRunSetup faulty_setup(LoadMechanism mechanism) {
  RandomRunSetup setup = setup_for(mechanism, 5);
  setup.make = [](const LoadExchangeOptions& options, Rank rank, Rank num_ranks, LoadSink& sink) -> std::unique_ptr<LoadExchange> {
    if constexpr (std::is_constructible_v<Machine, Rank, Rank, LoadSink&, Load>) {
      return std::make_unique<Machine>(rank, num_ranks, sink, options.threshold);
    } else {
      return std::make_unique<Machine>(rank, num_ranks, sink);
    }
  };
  return setup;
}

TEST(RandomRunsOfFaults, FindThem) {
  expect_found(faulty_setup<BasicSnapshot<TagsUnchecked>>(LoadMechanism::snapshot), "E1");
  expect_found(faulty_setup<BasicSnapshot<NoPreemption>>(LoadMechanism::snapshot), "L");
  expect_found(faulty_setup<BasicPartialSnapshot<GrantKept>>(LoadMechanism::partial_snapshot), "");
  expect_found(faulty_setup<BasicIncrements<ArrivalCounted>>(LoadMechanism::increments), "T");
}

}  // namespace
}  // namespace frond::test
