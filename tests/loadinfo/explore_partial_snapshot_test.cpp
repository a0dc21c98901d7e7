// SPDX-License-Identifier: BSD-3-Clause
// Explores the partial snapshot in all orders of arrival, and the same with planted faults, which must be found.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "tests/support/programs/all_tests.hpp"
#include "tests/support/ranks/decision_model.hpp"

namespace frond::test {
namespace {

template <class Machine>
Exploration explore_partial(DecisionSetup setup) {
  Exploration exploration = explore(DecisionModel<Machine>(std::move(setup)));
  std::cout << exploration << '\n';
  return exploration;
}

Count expect_partial_ones_hold(DecisionSetup setup) {
  const Exploration exploration = explore_partial<PartialSnapshotExchange>(std::move(setup));
  EXPECT_EQ(exploration.violation, "");
  return exploration.num_states;
}

// The set of ranks whose bits are set.
std::vector<Rank> ranks_of(unsigned bits) {
  std::vector<Rank> ranks;
  for (Rank rank = 0; bits >> static_cast<unsigned>(rank) != 0; ++rank) {
    if ((bits >> static_cast<unsigned>(rank)) % 2 == 1) {
      ranks.push_back(rank);
    }
  }
  return ranks;
}

TEST(ExplorePartialSnapshot, HoldsForOneRank) {
  expect_partial_ones_hold({.plan = {{{}, {}}}});
  expect_partial_ones_hold({.plan = {{{0}, {0}}}});
}

TEST(ExplorePartialSnapshot, HoldsForThreeRanks) {
  expect_partial_ones_hold({.plan = all_others({1, 1, 1})});
  expect_partial_ones_hold({.plan = all_others({2, 1, 1})});
}

TEST(ExplorePartialSnapshot, HoldsWhenDecisionsAreNotTakenAtOnce) {
  expect_partial_ones_hold({.plan = all_others({2, 1, 1}), .decides_at_once = false});
}

TEST(ExplorePartialSnapshot, HoldsWhenBlockedRanksDoNotAsk) {
  expect_partial_ones_hold({.plan = all_others({2, 2, 2}), .asks_when_blocked = false});
}

TEST(ExplorePartialSnapshot, HoldsForMixedSetsAndSetsWithTheInitiator) {
  expect_partial_ones_hold({.plan = {{{0, 1, 2}}, {{0, 1, 2}}, {{0, 1, 2}}}});
  expect_partial_ones_hold({.plan = {{{1, 2}, {1}}, {{0, 2}, {2}}, {{0, 1}}}});
}

TEST(ExplorePartialSnapshot, HoldsForEveryTripleOfSets) {
  Count num_states = 0;
  for (unsigned triple = 0; triple < 8 * 8 * 8; triple += frond::testing::is_all_tested() ? 1 : 5) {
    const DecisionSetup setup{.plan = {{ranks_of(triple % 8)}, {ranks_of(triple / 8 % 8)}, {ranks_of(triple / 64)}}};
    const Exploration exploration = explore(DecisionModel<PartialSnapshotExchange>(setup));
    ASSERT_EQ(exploration.violation, "") << "triple " << triple << ": " << exploration;
    num_states += exploration.num_states;
  }
  std::cout << num_states << " states of triples\n";
}

// A decision with one candidate has 6 states: nothing requested; then, under way: the start; the answer; reservation and end; the
// end alone; nothing more. Independent decisions multiply these numbers.
TEST(ExplorePartialSnapshot, DisjointDecisionsAreIndependent) {
  EXPECT_EQ(expect_partial_ones_hold({.plan = {{{1}}, {}}}), 6);
  EXPECT_EQ(expect_partial_ones_hold({.plan = {{{1}}, {}, {{3}}, {}}}), 6 * 6);
}

// Any fixed order of requests is safe and live; this one needs no clocks and has far fewer states.
struct PlainRanks : PartialSnapshotRules {
  static constexpr bool kWithoutClocks = true;
  static bool is_better(const PartialRequest& a, const PartialRequest& b) { return a.rank < b.rank; }
  static Count next_ticket(const PartialSnapshotState& state) { return state.own.ticket + 1; }
};

// The numbers of states are those of a model of the protocol that was written independently of this code.
TEST(ExplorePartialSnapshot, HoldsWithPlainRanks) {
  using Machine = BasicPartialSnapshot<PlainRanks>;
  if (frond::testing::is_all_tested()) {
    const Exploration all_pairs = explore_partial<Machine>({.plan = all_others({2, 2, 2})});
    EXPECT_EQ(all_pairs.violation, "");
    EXPECT_EQ(all_pairs.num_states, 212581);
  }
  const Exploration ring = explore_partial<Machine>({.plan = {{{1, 2}}, {{2, 3}}, {{3, 0}}, {{0, 1}}}});
  EXPECT_EQ(ring.violation, "");
  EXPECT_EQ(ring.num_states, 135187);
}

TEST(ExplorePartialSnapshot, HoldsFarther) {
  if (std::getenv("FROND_EXPLORE_FAR") == nullptr) {
    GTEST_SKIP() << "set FROND_EXPLORE_FAR to explore millions of states, for minutes and with gigabytes";
  }
  expect_partial_ones_hold({.plan = all_others({2, 2, 2})});
  expect_partial_ones_hold({.plan = all_others({2, 2, 1}), .decides_at_once = false});
  expect_partial_ones_hold({.plan = {{{1, 2}}, {{2, 3}}, {{3, 0}}, {{0, 1}}}});
}

// Planted faults: each replaces one rule.

struct NoRevocation : PartialSnapshotRules {
  static bool must_revoke(bool /*is_better_than_holder*/, const PartialSnapshotState& /*state*/) { return false; }
};
struct YieldForgets : PartialSnapshotRules {
  static void wait_again(PartialSnapshotState& /*state*/) {}
};
struct RevocationWithoutTicket : PartialSnapshotRules {
  static bool concerns(Count /*ticket*/, const PartialSnapshotState& /*state*/, bool is_deciding) { return is_deciding; }
};
struct GrantKept : PartialSnapshotRules {
  static void give_back(PartialSnapshotState& /*state*/, Rank /*candidate*/) {}
};

// A candidate that revokes grants itself to the better request at once, without waiting for the holder to yield.
class GrantsBeforeYield : public BasicPartialSnapshot<PartialSnapshotRules> {
 public:
  using BasicPartialSnapshot::BasicPartialSnapshot;

 protected:
  void receive(Rank from, const LoadMessage& message) override {
    const bool releases = message.kind == LoadMessageKind::end || message.kind == LoadMessageKind::yield;
    if (releases && state().holder.rank != from) {
      return;
    }
    BasicPartialSnapshot::receive(from, message);
    if (message.kind == LoadMessageKind::start && state().is_revoked) {
      const PartialRequest holder = state().holder;
      BasicPartialSnapshot::receive(holder.rank, {.kind = LoadMessageKind::yield, .ticket = holder.ticket});
    }
  }
};

template <class Machine>
void expect_found_in_partial_ones(const std::string& names, DecisionSetup setup) {
  const Exploration exploration = explore_partial<Machine>(std::move(setup));
  EXPECT_TRUE(exploration.breaks(names)) << exploration;
}
template <class Rules>
void expect_found_in_partial_ones(const std::string& names) {
  expect_found_in_partial_ones<BasicPartialSnapshot<Rules>>(names, {.plan = all_others({2, 2, 1})});
}

TEST(ExplorePartialSnapshot, FindsMissingRevocation) { expect_found_in_partial_ones<NoRevocation>("L"); }
TEST(ExplorePartialSnapshot, FindsForgottenYields) { expect_found_in_partial_ones<YieldForgets>("L"); }
TEST(ExplorePartialSnapshot, FindsRevocationsOfAnotherRequest) {
  expect_found_in_partial_ones<RevocationWithoutTicket>("H|E1|L|assertion");
}
TEST(ExplorePartialSnapshot, FindsKeptGrants) { expect_found_in_partial_ones<GrantKept>("H|E1"); }
TEST(ExplorePartialSnapshot, FindsGrantsBeforeTheYield) {
  expect_found_in_partial_ones<GrantsBeforeYield>("H|E1", {.plan = all_others({1, 1, 1})});
}
TEST(ExplorePartialSnapshot, FindsAnEndBeforeItsReservation) {
  expect_found_in_partial_ones<PartialSnapshotExchange>("E1|R", {.plan = all_others({1, 1, 1}), .ends_before_reserving = true});
}

}  // namespace
}  // namespace frond::test
