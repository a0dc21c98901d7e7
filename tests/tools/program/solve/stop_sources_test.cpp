// SPDX-License-Identifier: BSD-3-Clause
// Tests the command that resumes a run, and the signals that stop one.
#include "tools/program/solve/stop_sources.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "frond/error.hpp"
#include "solver/options/duration.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

TEST(ResumeCommand, IsTheCommandWithTheOtherOption) {
  EXPECT_EQ(resume_command({"frond", "solve", "A.mtx", "--checkpoint", "run1", "--threads", "2"}, 1),
            "frond solve A.mtx --resume run1 --threads 2");
  EXPECT_EQ(resume_command({"frond", "solve", "my matrix.mtx", "--checkpoint=it's"}, 1),
            "frond solve 'my matrix.mtx' '--resume=it'\\''s'");
  EXPECT_EQ(resume_command({"frond", "solve", "A.mtx", "--resume", "", "--set", "checkpoint-every=5s"}, 1),
            "frond solve A.mtx --resume '' --set checkpoint-every=5s");
  EXPECT_EQ(resume_command({"frond", "solve", "A.mtx", "--checkpoint", "run1"}, 4),
            "mpiexec.mpich -n 4 frond solve A.mtx --resume run1");
}

TEST(StopSources, HearSignalsWhereThereIsACheckpoint) {
  const testing::ScratchFolder folder;
  for (const int signal : {SIGTERM, SIGHUP, SIGINT}) {
    StopSources sources(0, folder.path("checkpoint"), 1);
    EXPECT_FALSE(sources.stop_requested());
    EXPECT_FALSE(sources.list_requested());
    ASSERT_EQ(raise(SIGUSR2), 0);
    EXPECT_TRUE(sources.list_requested());
    EXPECT_FALSE(sources.list_requested());
    ASSERT_EQ(raise(signal), 0);
    EXPECT_TRUE(sources.stop_requested());
    EXPECT_THROW(sources.throw_stopped("in the test"), SuspendedError);
  }
}

TEST(ParseDuration, KnowsUnits) {
  EXPECT_EQ(parse_duration("--every", "90"), 90);
  EXPECT_EQ(parse_duration("--every", "1.5 h"), 5400);
  EXPECT_EQ(parse_duration("--every", "10min"), 600);
  EXPECT_EQ(parse_duration("--every", "2d"), 172800);
  for (const char* wrong : {"", "x", "5x", "-1s", "inf", "nan", "1e999"}) {
    EXPECT_THROW((void)parse_duration("--every", wrong), UsageError) << wrong;
  }
}

}  // namespace
}  // namespace frond
