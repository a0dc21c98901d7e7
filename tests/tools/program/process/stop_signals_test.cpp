// SPDX-License-Identifier: BSD-3-Clause
// Tests that signals are remembered and end the wait for a child process.
#include "tools/program/process/stop_signals.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "tools/program/process/child_process.hpp"

namespace frond {
namespace {

TEST(StopSignals, RemembersEachSignalAndForgetsWithTheNext) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const StopSignals signals;
    EXPECT_FALSE(signals.has_come());
    std::raise(signal);
    EXPECT_TRUE(signals.has_come());
  }
}

TEST(StopSignals, EndsTheWaitForAChild) {
  const StopSignals signals;
  std::raise(SIGINT);
  const ChildResult result = run_child({"sleep", "100"}, 60, {.wants_stop = [&] { return signals.has_come(); }});
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.exit_code, 128 + SIGTERM);
  EXPECT_LT(result.seconds, 50);
}

}  // namespace
}  // namespace frond
