// SPDX-License-Identifier: BSD-3-Clause
// Explores the mechanism by increments in all orders of arrival, and the same with planted faults, which must be found.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/ranks/increments_model.hpp"

namespace frond::test {
namespace {

constexpr Load kTask{2, 16};
constexpr Load kOne{1, 8};

// Ranks 0 and 1 give three tasks away, two of them to rank 2. Costs are known exactly, and the threshold is less than a task.
IncrementsSetup three_tasks() {
  return {
      .choices = {{{{1, kTask}, {2, kTask}}}, {{{2, kTask}}}, {}}, .variations = {{}, {}, {}}, .surplus = {}, .threshold = kOne};
}

// Fewer tasks, with loads that vary in both directions.
IncrementsSetup one_task_and_variations() {
  return {.choices = {{{{1, kTask}}}, {}, {}}, .variations = {{kOne}, {-kTask, kOne}, {}}, .surplus = kOne, .threshold = kOne};
}

template <class Machine = IncrementsExchange>
Exploration explore_increments(IncrementsSetup setup) {
  Exploration exploration = explore(IncrementsModel<Machine>(std::move(setup)));
  std::cout << exploration << '\n';
  return exploration;
}

void expect_all_hold(IncrementsSetup setup) { EXPECT_EQ(explore_increments(std::move(setup)).violation, ""); }

TEST(ExploreIncrements, HoldsForExactCosts) { expect_all_hold(three_tasks()); }

TEST(ExploreIncrements, HoldsForThreeMasters) {
  IncrementsSetup setup = three_tasks();
  setup.choices = {{{{1, kTask}}}, {{{2, kTask}}}, {{{0, kTask}}}};
  expect_all_hold(setup);
  setup.surplus = kOne;
  expect_all_hold(setup);
  setup.threshold = kTask + kOne;
  expect_all_hold(setup);
}

TEST(ExploreIncrements, HoldsForCostsAboveAndBelowTheEstimate) {
  IncrementsSetup setup = three_tasks();
  setup.surplus = kOne;
  expect_all_hold(setup);
  setup.surplus = -kOne;
  expect_all_hold(setup);
}

TEST(ExploreIncrements, HoldsForThresholdsOfZeroAndOfMoreThanATask) {
  IncrementsSetup setup = three_tasks();
  setup.threshold = {};
  expect_all_hold(setup);
  setup.threshold = kTask + kOne;
  expect_all_hold(setup);
}

TEST(ExploreIncrements, HoldsWithVariations) { expect_all_hold(one_task_and_variations()); }

TEST(ExploreIncrements, HoldsWhenRanksAreNoMoreMasters) {
  IncrementsSetup setup = one_task_and_variations();
  setup.says_no_more_master = true;
  expect_all_hold(setup);
}

TEST(ExploreIncrements, HoldsWhenSlavesAreNoMoreMasters) {
  IncrementsSetup setup = three_tasks();
  setup.choices = {{{{1, kTask}, {2, kTask}}}, {}, {}};
  setup.says_no_more_master = true;
  expect_all_hold(setup);
}

// Rank 2 is a candidate of ranks 0 and 1, rank 1 of rank 0, rank 0 of none.
IncrementsSetup watched(IncrementsSetup setup) {
  setup.watchers = std::make_shared<const LoadWatchers>(std::vector<std::vector<Rank>>{{}, {0}, {0, 1}});
  return setup;
}

TEST(ExploreIncrements, HoldsWhereOnlySomeAreWatched) {
  expect_all_hold(watched(three_tasks()));
  expect_all_hold(watched(one_task_and_variations()));
  IncrementsSetup setup = watched(three_tasks());
  setup.surplus = kOne;
  setup.says_no_more_master = true;
  expect_all_hold(setup);
}

// Planted faults: each replaces one rule.

struct PrintedTest : IncrementsRules {
  static bool is_due(const Load& unsent, const Load& threshold) {
    return unsent.flops > threshold.flops || unsent.bytes > threshold.bytes;
  }
};
struct OwnChoiceForgotten : IncrementsRules {
  static void count_own_choice(Load& /*view_of_slave*/, const Load& /*reserved*/) {}
};
struct ArrivalCounted : IncrementsRules {
  static Load variation_on_arrival(const Load& cost, const Load& /*reserved*/) { return cost; }
};
struct SurplusSkipped : IncrementsRules {
  static Load variation_on_arrival(const Load& cost, const Load& reserved) {
    return cost.flops > reserved.flops ? Load{} : cost - reserved;
  }
};
struct OthersNotTold : IncrementsRules {
  static bool must_hear_of_choice(bool /*is_concerned*/, bool is_slave) { return is_slave; }
};
struct SlavesNotTold : IncrementsRules {
  static bool must_hear_of_choice(bool is_listening, bool /*is_slave*/) { return is_listening; }
};

// Loads below zero are stored as zero.
class ClampedLoads : public IncrementsExchange {
 public:
  using IncrementsExchange::IncrementsExchange;

 protected:
  void on_variation(const Load& change) override {
    clamp(rank());
    IncrementsExchange::on_variation(change);
  }
  void receive(Rank from, const LoadMessage& message) override {
    IncrementsExchange::receive(from, message);
    for (Rank other = 0; other < num_ranks(); ++other) {
      clamp(other);
    }
  }

 private:
  void clamp(Rank of) { view_of(of) = {std::max(view_of(of).flops, 0.0), std::max(view_of(of).bytes, Count{0})}; }
};

template <class Machine>
void expect_found(const std::string& name, IncrementsSetup setup) {
  const Exploration exploration = explore_increments<Machine>(std::move(setup));
  EXPECT_TRUE(exploration.breaks(name)) << exploration;
}

TEST(ExploreIncrements, FindsThePrintedTest) { expect_found<BasicIncrements<PrintedTest>>("A", three_tasks()); }
TEST(ExploreIncrements, FindsAMasterThatForgetsItsChoice) { expect_found<BasicIncrements<OwnChoiceForgotten>>("C", three_tasks()); }
TEST(ExploreIncrements, FindsReservationsCountedTwice) { expect_found<BasicIncrements<ArrivalCounted>>("T", three_tasks()); }
TEST(ExploreIncrements, FindsASurplusThatIsSkipped) {
  expect_found<BasicIncrements<SurplusSkipped>>("T", one_task_and_variations());
}
TEST(ExploreIncrements, FindsClampedLoads) { expect_found<ClampedLoads>("T", three_tasks()); }
TEST(ExploreIncrements, FindsEndsOfTasksThatAreSkipped) {
  IncrementsSetup setup = three_tasks();
  setup.ends_tasks_silently = true;
  expect_found<IncrementsExchange>("T", setup);
}
TEST(ExploreIncrements, FindsSlavesThatAreNotTold) {
  IncrementsSetup setup = three_tasks();
  setup.says_no_more_master = true;
  expect_found<BasicIncrements<SlavesNotTold>>("T|C", setup);
}
TEST(ExploreIncrements, FindsWatchersThatAreNotTold) { expect_found<BasicIncrements<OthersNotTold>>("C", watched(three_tasks())); }
TEST(ExploreIncrements, FindsRanksThatGiveUpTooEarly) {
  IncrementsSetup setup = three_tasks();
  setup.gives_up_too_early = true;
  expect_found<IncrementsExchange>("N", setup);
}

}  // namespace
}  // namespace frond::test
