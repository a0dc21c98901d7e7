// SPDX-License-Identifier: BSD-3-Clause
// Explores the snapshot in all orders of arrival, and the same with planted faults, which must be found.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "tests/support/ranks/decision_model.hpp"

namespace frond::test {
namespace {

template <class Rules>
Exploration explore_snapshot(DecisionSetup setup) {
  Exploration exploration = explore(DecisionModel<BasicSnapshot<Rules>>(std::move(setup)));
  std::cout << exploration << '\n';
  return exploration;
}

template <class Rules>
Exploration explore_snapshot(const std::vector<int>& num_decisions) {
  return explore_snapshot<Rules>({.plan = all_others(num_decisions)});
}

Count expect_snapshots_hold(DecisionSetup setup) {
  const Exploration exploration = explore_snapshot<SnapshotRules>(std::move(setup));
  EXPECT_EQ(exploration.violation, "");
  return exploration.num_states;
}

TEST(ExploreSnapshot, HoldsForOneRank) { expect_snapshots_hold({.plan = all_others({3})}); }
TEST(ExploreSnapshot, HoldsForTwoRanks) { expect_snapshots_hold({.plan = all_others({3, 3})}); }

// The numbers of states are those of a model of the protocol that was written independently of this code.
TEST(ExploreSnapshot, HoldsForThreeRanks) {
  EXPECT_EQ(expect_snapshots_hold({.plan = all_others({1, 1, 1})}), 3759);
  EXPECT_EQ(expect_snapshots_hold({.plan = all_others({2, 2, 2})}), 67993);
}

// The engine may handle messages between the moment when it may decide and the decision.
TEST(ExploreSnapshot, HoldsWhenDecisionsAreNotTakenAtOnce) {
  expect_snapshots_hold({.plan = all_others({1, 1, 1}), .decides_at_once = false});
  expect_snapshots_hold({.plan = all_others({2, 2, 2}), .decides_at_once = false});
}

TEST(ExploreSnapshot, HoldsWhenBlockedRanksDoNotAsk) {
  expect_snapshots_hold({.plan = all_others({2, 2, 2}), .asks_when_blocked = false});
}

TEST(ExploreSnapshot, HoldsForFourRanks) {
  if (std::getenv("FROND_EXPLORE_FAR") == nullptr) {
    GTEST_SKIP() << "set FROND_EXPLORE_FAR to explore millions of states, for minutes and with gigabytes";
  }
  expect_snapshots_hold({.plan = all_others({1, 1, 1, 1}), .asks_when_blocked = false});
  expect_snapshots_hold({.plan = all_others({1, 1, 1, 1})});
}

// Planted faults: each replaces one rule.

struct TagsUnchecked : SnapshotRules {
  static bool is_usable(Count /*given_up*/, Count /*round*/) { return true; }
  static bool is_current(Count given_up, Count /*round*/) { return given_up != kNoRound; }
};
struct AnswersWorse : SnapshotRules {
  static bool holds_back(const SnapshotRequest& /*own*/, const SnapshotRequest& /*best*/) { return false; }
};
struct AnswersWorseAndDecides : AnswersWorse {
  static bool may_win_round(const SnapshotState& state) { return state.first_round <= state.round; }
};
struct NeverFreeAgain : SnapshotRules {
  static void next_round(SnapshotState& state) { state.round += 1; }
};
struct NoPreemption : SnapshotRules {
  static bool preempts(const SnapshotRequest& /*best*/, const SnapshotRequest& /*answered*/) { return false; }
};
struct RoundGivenUpIsWanted : SnapshotRules {
  static Count first_round(const SnapshotState& state) { return state.round; }
};
struct EarlyAnswersDropped : SnapshotRules {
  static bool is_usable(Count given_up, Count round) { return given_up == round; }
};
struct PlainSnapshotRanks : SnapshotRules {
  static bool is_better(const SnapshotRequest& a, const SnapshotRequest& b) { return a.rank < b.rank; }
  static bool preempts(const SnapshotRequest& best, const SnapshotRequest& answered) { return is_better(best, answered); }
  static bool holds_back(const SnapshotRequest& own, const SnapshotRequest& best) { return is_better(own, best); }
};
struct PlainRanksAndRoundGivenUp : PlainSnapshotRanks {
  static Count first_round(const SnapshotState& state) { return state.round; }
};

template <class Rules>
void expect_found_in_snapshots(const std::string& names, const std::vector<int>& num_decisions = {1, 1, 1}) {
  const Exploration exploration = explore_snapshot<Rules>(num_decisions);
  EXPECT_TRUE(exploration.breaks(names)) << exploration;
}

TEST(ExploreSnapshot, FindsUncheckedTags) { expect_found_in_snapshots<TagsUnchecked>("E1|I3", {2, 2, 2}); }
TEST(ExploreSnapshot, FindsARoundDecidedTwice) { expect_found_in_snapshots<AnswersWorseAndDecides>("E1|I1|I3"); }
TEST(ExploreSnapshot, FindsRanksThatAreNeverFreeAgain) { expect_found_in_snapshots<NeverFreeAgain>("L|Q"); }
TEST(ExploreSnapshot, FindsMissingPreemption) { expect_found_in_snapshots<NoPreemption>("L"); }
TEST(ExploreSnapshot, FindsARequestForARoundGivenUp) { expect_found_in_snapshots<RoundGivenUpIsWanted>("L", {2, 2, 2}); }
TEST(ExploreSnapshot, FindsDroppedEarlyAnswers) { expect_found_in_snapshots<EarlyAnswersDropped>("L", {2, 2, 2}); }
TEST(ExploreSnapshot, FindsAnswersToWorseRequests) { expect_found_in_snapshots<AnswersWorse>("L"); }
TEST(ExploreSnapshot, FindsPlainRanksWithoutRounds) { expect_found_in_snapshots<PlainRanksAndRoundGivenUp>("L", {2, 2, 2}); }
TEST(ExploreSnapshot, FindsAnEndBeforeItsReservation) {
  const Exploration exploration = explore_snapshot<SnapshotRules>({.plan = all_others({1, 1, 1}), .ends_before_reserving = true});
  EXPECT_TRUE(exploration.breaks("E1|R")) << exploration;
}

// Not a fault, and nothing must be found: serving requests by rank alone is merely unfair.
TEST(ExploreSnapshot, HoldsWithPlainRanks) { EXPECT_EQ(explore_snapshot<PlainSnapshotRanks>({2, 2, 2}).violation, ""); }

}  // namespace
}  // namespace frond::test
