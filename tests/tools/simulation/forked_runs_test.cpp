// SPDX-License-Identifier: BSD-3-Clause
// Tests the results, errors and terminations of runs in separate processes.
#include "tools/simulation/forked_runs.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <set>
#include <stdexcept>

namespace frond {
namespace {

TEST(ForkedRuns, ReturnWhatRunsReturnInTheirOrder) {
  int num_ended = 0;
  const std::vector<ForkedResult> results = run_forked(
      20, 3, [](std::size_t k) { return std::string(100000 * (k % 3), 'x') + std::to_string(k); }, [&] { ++num_ended; });
  ASSERT_EQ(results.size(), 20U);
  EXPECT_EQ(num_ended, 20);
  for (std::size_t k = 0; k < results.size(); ++k) {
    EXPECT_EQ(results[k].error, "");
    EXPECT_EQ(results[k].output, std::string(100000 * (k % 3), 'x') + std::to_string(k));
  }
}

TEST(ForkedRuns, AreProcessesOfTheirOwn) {
  int counter = 0;
  const std::vector<ForkedResult> results =
      run_forked(4, 2, [&](std::size_t) { return std::to_string(getpid()) + " " + std::to_string(++counter); });
  std::set<std::string> outputs;
  for (const ForkedResult& result : results) {
    outputs.insert(result.output);
    EXPECT_EQ(result.output.substr(result.output.find(' ')), " 1");
  }
  EXPECT_EQ(outputs.size(), 4U);
  EXPECT_EQ(counter, 0);
}

TEST(ForkedRuns, TellWhatWasThrownAndWhatEndedThem) {
  const std::vector<ForkedResult> results = run_forked(4, 4, [](std::size_t k) -> std::string {
    if (k == 0) {
      throw std::runtime_error("no memory");
    }
    if (k == 1) {
      std::raise(SIGKILL);
    }
    if (k == 2) {
      _exit(3);
    }
    return "";
  });
  EXPECT_EQ(results[0].error, "no memory");
  EXPECT_EQ(results[1].error, "it was ended by a signal: Killed");
  EXPECT_EQ(results[2].error, "it ended without a result");
  EXPECT_EQ(results[3].error, "");
  EXPECT_EQ(results[3].output, "");
}

TEST(ForkedRuns, MayBeNone) {
  EXPECT_TRUE(run_forked(0, 1, [](std::size_t) { return std::string(); }).empty());
}

}  // namespace
}  // namespace frond
