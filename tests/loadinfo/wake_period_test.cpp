// SPDX-License-Identifier: BSD-3-Clause
// How the load thread's sleep grows while it is quiet.
#include "loadinfo/wake_period.hpp"

#include <gtest/gtest.h>

namespace frond::test {
namespace {

using std::chrono::microseconds;

TEST(WakePeriod, DoublesWhileItIsQuietUpToTheLongest) {
  WakePeriod period(microseconds(50), microseconds(300));
  for (const int expected : {50, 100, 200, 300, 300}) {
    EXPECT_EQ(period.after(false), microseconds(expected));
  }
}

TEST(WakePeriod, ReturnsToTheShortestWhenSomethingHappens) {
  WakePeriod period(microseconds(50), microseconds(300));
  for (int look = 0; look < 5; ++look) {
    (void)period.after(false);
  }
  EXPECT_EQ(period.after(true), microseconds(50));
  EXPECT_EQ(period.after(true), microseconds(50));
  EXPECT_EQ(period.after(false), microseconds(100));
}

TEST(WakePeriod, StaysWhereShortestAndLongestAreTheSame) {
  WakePeriod period(microseconds(50), microseconds(50));
  EXPECT_EQ(period.after(false), microseconds(50));
  EXPECT_EQ(period.after(false), microseconds(50));
}

}  // namespace
}  // namespace frond::test
