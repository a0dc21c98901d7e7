// SPDX-License-Identifier: BSD-3-Clause
// Tests given spells by hand, and drawn intervals by their means.
#include "tools/simulation/core_slowness.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace frond {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

TEST(CoreSlowness, IsNoneByItself) {
  CoreSlowness slowness;
  EXPECT_EQ(slowness.factor(0), 1);
  EXPECT_EQ(slowness.next_change(0), kNever);
}

TEST(CoreSlowness, MultipliesSpellsThatOverlap) {
  CoreSlowness slowness({{0, 4, 1, 3}, {0, 3, 2, kNever}});
  EXPECT_EQ(slowness.factor(0), 1);
  EXPECT_EQ(slowness.next_change(0), 1);
  EXPECT_EQ(slowness.factor(1), 4);
  EXPECT_EQ(slowness.next_change(1), 2);
  EXPECT_EQ(slowness.factor(2), 12);
  EXPECT_EQ(slowness.next_change(2), 3);
  EXPECT_EQ(slowness.factor(3), 3);
  EXPECT_EQ(slowness.next_change(3), kNever);
}

TEST(CoreSlowness, HasNothingToWaitForInASpellWithoutEnds) {
  CoreSlowness slowness({{0, 4}});
  EXPECT_EQ(slowness.factor(0), 4);
  EXPECT_EQ(slowness.next_change(0), kNever);
}

// Counts the disturbed seconds of a period, and the intervals that they form.
struct Disturbed {
  double seconds = 0;
  int intervals = 0;
};
Disturbed disturbed(CoreSlowness slowness, double seconds) {
  Disturbed total;
  for (double now = 0; now < seconds;) {
    const bool is_disturbed = slowness.factor(now) > 1;
    const double next = slowness.next_change(now);
    total.seconds += is_disturbed ? next - now : 0;
    total.intervals += is_disturbed ? 1 : 0;
    now = next;
  }
  return total;
}

TEST(CoreSlowness, DrawsIntervalsOfTheLengthAndShareThatAreAskedFor) {
  for (const double share : {0.1, 0.25, 0.9}) {
    const Disturbed total = disturbed(CoreSlowness({}, CompetingIntervals({7, share}, 0, 2)), 1e5);
    EXPECT_NEAR(total.seconds / 1e5, share, 0.02 * share + 0.005) << share;
    EXPECT_NEAR(total.seconds / total.intervals, 2, 0.1) << share;
  }
}

TEST(CoreSlowness, HasTheSameIntervalsAfterAnyPause) {
  const CompetingIntervals intervals({1, 0.25}, 3, 2);
  CoreSlowness often({}, intervals);
  double now = 0;
  while (now < 1e4) {
    now = often.next_change(now);
  }
  CoreSlowness once({}, intervals);
  EXPECT_EQ(once.factor(now), often.factor(now));
  EXPECT_EQ(once.next_change(now), often.next_change(now));
}

TEST(CoreSlowness, IsDisturbedAtTheBeginningAsOftenAsLater) {
  int num_disturbed = 0;
  for (Rank rank = 0; rank < 1000; ++rank) {
    num_disturbed += CoreSlowness({}, CompetingIntervals({1, 0.25}, rank, 1)).factor(0) > 1 ? 1 : 0;
  }
  EXPECT_NEAR(num_disturbed, 250, 50);
}

TEST(CoreSlowness, DrawsTheSameFromTheSameSeedAndRankAlone) {
  const auto first_change = [](std::uint64_t seed, Rank rank) {
    return CoreSlowness({}, CompetingIntervals({seed, 0.25}, rank, 1)).next_change(0);
  };
  EXPECT_EQ(first_change(1, 2), first_change(1, 2));
  EXPECT_NE(first_change(1, 2), first_change(2, 2));
  EXPECT_NE(first_change(1, 2), first_change(1, 3));
}

}  // namespace
}  // namespace frond
