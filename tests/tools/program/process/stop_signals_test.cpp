// SPDX-License-Identifier: BSD-3-Clause
// Tests that signals are remembered and end the wait for a child process.
#include "tools/program/bench/interruption.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "tools/program/process/child_process.hpp"

namespace frond {
namespace {

TEST(Interruption, RemembersBothSignalsAndForgetsWithTheNext) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Interruption interruption;
    EXPECT_FALSE(interruption.has_come());
    std::raise(signal);
    EXPECT_TRUE(interruption.has_come());
  }
}

TEST(Interruption, EndsTheWaitForAChild) {
  const Interruption interruption;
  std::raise(SIGINT);
  const ChildResult result = run_child({"sleep", "100"}, 60, {.wants_stop = [&] { return interruption.has_come(); }});
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.exit_code, 128 + SIGTERM);
  EXPECT_LT(result.seconds, 50);
}

}  // namespace
}  // namespace frond
