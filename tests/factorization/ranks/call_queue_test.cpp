// SPDX-License-Identifier: BSD-3-Clause
// Tests calls from other threads: their order, and which calls wake the waiting thread.
#include "factorization/ranks/call_queue.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace frond::test {
namespace {

using Clock = std::chrono::steady_clock;

TEST(CallQueue, MakesCallsInTheirOrder) {
  CallQueue calls;
  EXPECT_FALSE(calls.make_calls());
  std::vector<int> made;
  calls.post([&] {
    made.push_back(1);
    calls.post([&] { made.push_back(3); });
  });
  calls.post([&] { made.push_back(2); });
  EXPECT_TRUE(calls.make_calls());
  EXPECT_EQ(made, (std::vector<int>{1, 2}));
  EXPECT_TRUE(calls.make_calls());
  EXPECT_EQ(made, (std::vector<int>{1, 2, 3}));
}

TEST(CallQueue, ForgetsWhatIsDiscarded) {
  CallQueue calls;
  calls.post([] { FAIL(); });
  calls.discard();
  EXPECT_FALSE(calls.make_calls());
}

TEST(CallQueue, SleepsUntilACallOrAWakeUp) {
  CallQueue calls;
  const auto start = Clock::now();
  calls.wake();
  calls.wait_for(std::chrono::minutes(1));  // returns at once because of the earlier wake-up
  std::thread poster([&] { calls.post([] {}); });
  calls.wait_for(std::chrono::minutes(1));
  poster.join();
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(30));
  EXPECT_TRUE(calls.make_calls());
  const auto before = Clock::now();
  calls.wait_for(std::chrono::milliseconds(20));
  EXPECT_GE(Clock::now() - before, std::chrono::milliseconds(20));
}

}  // namespace
}  // namespace frond::test
