// SPDX-License-Identifier: BSD-3-Clause
// Looks of the load thread: never before the message, in order, rarer while it is quiet.
#include "tools/simulation/load_thread_wakes.hpp"

#include <gtest/gtest.h>

namespace frond {
namespace {

constexpr double kShortest = 50e-6;
constexpr double kLongest = 5e-3;

TEST(LoadThreadWakes, LookOftenWhileMessagesCome) {
  LoadThreadWakes wakes(2, {});
  double now = 0;
  double last = 0;
  for (int message = 0; message < 1000; ++message) {
    now += 30e-6;
    const double look = wakes.look_for(1, now);
    EXPECT_GE(look, now);
    EXPECT_LE(look, now + 1.25 * kShortest + 1e-12);
    EXPECT_GE(look, last);
    last = look;
  }
}

TEST(LoadThreadWakes, LookRarelyAfterItWasQuiet) {
  double longest_wait = 0;
  for (int shift = 0; shift < 100; ++shift) {
    LoadThreadWakes wakes(1, {});
    const double arrival = 1 + shift * 1e-4;
    const double wait = wakes.look_for(0, arrival) - arrival;
    EXPECT_GE(wait, 0);
    EXPECT_LE(wait, kLongest + 1e-9);
    longest_wait = std::max(longest_wait, wait);
    const double next = arrival + wait + 1e-6;
    EXPECT_LE(wakes.look_for(0, next) - next, kShortest) << "something has come: it looks soon again";
  }
  EXPECT_GT(longest_wait, 0.8 * kLongest);
}

TEST(LoadThreadWakes, KeepRanksApartAndOrder) {
  LoadThreadWakes wakes(2, {});
  const double late = wakes.look_for(0, 0.5);
  EXPECT_LT(wakes.look_for(1, 1e-5), 1e-3);
  EXPECT_EQ(wakes.look_for(0, 0.4), late) << "asked later, it is not told earlier";
}

}  // namespace
}  // namespace frond
