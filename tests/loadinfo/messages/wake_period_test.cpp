// SPDX-License-Identifier: BSD-3-Clause
// Tests how the load thread's sleep grows while it is quiet.
#include "loadinfo/messages/wake_period.hpp"

#include <gtest/gtest.h>

namespace frond::test {
namespace {

using std::chrono::microseconds;

TEST(WakePeriod, GrowsByAQuarterWhileItIsQuietUpToTheLongest) {
  WakePeriod period(microseconds(64), microseconds(150));
  for (const int expected : {64, 80, 100, 125, 150, 150}) {
    EXPECT_EQ(period.after(false), microseconds(expected));
  }
}

TEST(WakePeriod, IsNeverMoreThanAQuarterOfTheQuietBeforeItAndTheShortest) {
  WakePeriod period(microseconds(50), std::chrono::hours(1));
  WakePeriod::Duration quiet{};
  for (int look = 0; look < 60; ++look) {
    const WakePeriod::Duration sleep = period.after(false);
    EXPECT_LE(sleep, quiet / 4 + microseconds(50));
    quiet += sleep;
  }
  EXPECT_GT(quiet, std::chrono::seconds(10));
}

TEST(WakePeriod, ReturnsToTheShortestWhenSomethingHappens) {
  WakePeriod period(microseconds(64), microseconds(150));
  for (int look = 0; look < 5; ++look) {
    (void)period.after(false);
  }
  EXPECT_EQ(period.after(true), microseconds(64));
  EXPECT_EQ(period.after(true), microseconds(64));
  EXPECT_EQ(period.after(false), microseconds(80));
}

TEST(WakePeriod, StaysWhereShortestAndLongestAreTheSame) {
  WakePeriod period(microseconds(50), microseconds(50));
  EXPECT_EQ(period.after(false), microseconds(50));
  EXPECT_EQ(period.after(false), microseconds(50));
}

}  // namespace
}  // namespace frond::test
