// SPDX-License-Identifier: BSD-3-Clause
// Runs programs that end, hang, write much, or do not exist.
#include "tools/program/process/child_process.hpp"

#include <gtest/gtest.h>

#include "frond/error.hpp"

namespace frond {
namespace {

TEST(RunChild, CollectsBothStreamsAndTheExitCode) {
  const ChildResult result = run_child({"sh", "-c", "echo out; echo err >&2; exit 7"}, 10);
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.errors, "err\n");
  EXPECT_FALSE(result.timed_out);
}

TEST(RunChild, TakesMoreOutputThanAPipeHolds) {
  const ChildResult result = run_child({"sh", "-c", "head -c 3000000 /dev/zero; head -c 2000000 /dev/zero >&2"}, 30);
  EXPECT_EQ(result.output.size(), 3000000u);
  EXPECT_EQ(result.errors.size(), 2000000u);
}

TEST(RunChild, KillsWhatTakesTooLong) {
  const ChildResult result = run_child({"sleep", "100"}, 0.2);
  EXPECT_TRUE(result.timed_out);
  EXPECT_LT(result.seconds, 50);
}

TEST(RunChild, KillsWhatDoesNotEndWhenAsked) {
  const ChildResult result = run_child({"sh", "-c", "trap '' TERM; while :; do sleep 0.1; done"}, 0.2);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.exit_code, 128 + 9);
}

TEST(RunChild, GivesTheEnvironmentItIsTold) {
  const ChildResult result = run_child({"sh", "-c", "echo $COLOUR $HOME"}, 10, {.environment = {"COLOUR=green"}});
  EXPECT_EQ(result.output, "green\n");
}

TEST(RunChild, StopsWhenAsked) {
  const ChildResult result = run_child({"sleep", "100"}, 60, {.wants_stop = [] { return true; }});
  EXPECT_FALSE(result.timed_out);
  EXPECT_LT(result.seconds, 50);
}

TEST(RunChild, TellsSignalsAndMissingPrograms) {
  EXPECT_EQ(run_child({"sh", "-c", "kill -9 $$"}, 10).exit_code, 128 + 9);
  EXPECT_THROW((void)run_child({"no-such-program-here"}, 10), InternalError);
}

}  // namespace
}  // namespace frond
