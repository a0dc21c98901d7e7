// SPDX-License-Identifier: BSD-3-Clause
// Tests look times: never before the message, rarer while it is quiet, frequent again after something was found.
#include "tools/simulation/look_times.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

namespace frond {
namespace {

constexpr double kShortest = 50e-6;
constexpr double kLongest = 5e-3;

WakePeriod period() { return {std::chrono::microseconds(50), std::chrono::microseconds(5000)}; }

TEST(LookTimes, AreNearWhileMessagesCome) {
  LookTimes looks(period());
  double now = 0;
  double last = 0;
  for (int message = 0; message < 1000; ++message) {
    now += 30e-6;
    const double look = looks.look_for(now);
    EXPECT_GE(look, now);
    EXPECT_LE(look, now + 1.25 * kShortest + 1e-12);
    EXPECT_GE(look, last);
    last = look;
  }
}

TEST(LookTimes, AreRareAfterItWasQuiet) {
  double longest_wait = 0;
  for (int shift = 0; shift < 100; ++shift) {
    LookTimes looks(period());
    const double arrival = 1 + shift * 1e-4;
    const double wait = looks.look_for(arrival) - arrival;
    EXPECT_GE(wait, 0);
    EXPECT_LE(wait, kLongest + 1e-9);
    longest_wait = std::max(longest_wait, wait);
    const double next = arrival + wait + 1e-6;
    EXPECT_LE(looks.look_for(next) - next, kShortest) << "something has come: it looks soon again";
  }
  EXPECT_GT(longest_wait, 0.8 * kLongest);
}

TEST(LookTimes, GoOnFromWhenItWasWoken) {
  LookTimes looks(period());
  const double late = looks.look_for(0.5);
  EXPECT_EQ(looks.look_for(0.4), late) << "a later question gets no earlier answer";
  looks.look(0.3, true);
  EXPECT_NEAR(looks.look_for(0.3 + 1e-9), 0.3 + kShortest, 1e-9);
  looks.look(1, false);
  EXPECT_GT(looks.look_for(1 + 1e-9), 1 + kShortest) << "woken for nothing, it sleeps longer and longer";
}

TEST(LookTimes, ComeLateByTheDelay) {
  LookTimes looks(period(), 1e-3);
  EXPECT_NEAR(looks.look_for(1e-9), kShortest + 1e-3, 1e-9);
}

}  // namespace
}  // namespace frond
