// SPDX-License-Identifier: BSD-3-Clause
// Tests that fronts without entries do, hold and send what real ones do.
#include "factorization/ghosts/ghost_fronts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "factorization/ranks/main_message.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/ranks/rank_problem.hpp"
#include "tests/support/ranks/timed_ranks.hpp"

namespace frond::test {
namespace {

constexpr Types kTypes[] = {Types::sequential, Types::row_distributed, Types::grid};

TimedRunResult run_without_entries(const RankProblem<double>& problem, Count memory_limit = 0) {
  return run_ghosts(*problem.symbolic, problem.method, sizeof(double), problem.mapping, memory_limit);
}

TEST(GhostFronts, DoAllFlopsAndLeaveNoMemory) {
  for (const Method method : kRealMethods) {
    for (const Types types : kTypes) {
      for (const Rank num_ranks : {1, 2, 3, 6}) {
        SCOPED_TRACE(std::to_string(static_cast<int>(method)) + " on " + std::to_string(num_ranks));
        if (method == Method::ldlt && types == Types::grid) {
          continue;  // its roots are distributed by rows
        }
        const RankProblem<double> problem(method, 9, Values::dominant, types, num_ranks);
        const TimedRunResult result = run_without_entries(problem);
        ASSERT_TRUE(result.complaints.empty()) << result.complaints.front();
        const double flops = problem.run_on_one_rank().report.flops;
        EXPECT_NEAR(result.flops, flops, 1e-9 * flops);
        EXPECT_EQ(result.bytes_left, 0);
        EXPECT_EQ(result.num_decisions, problem.mapping.num_nodes_of(NodeType::row_distributed));
        EXPECT_GE(result.seconds, elimination_seconds({flops, 0}) / num_ranks * (1 - 1e-9));
      }
    }
  }
}

TimedRunResult run_with_entries(const RankProblem<double>& problem) {
  TimedRunResult result = run_real_fronts(*problem.symbolic, problem.method, problem.a, problem.mapping);
  EXPECT_TRUE(result.complaints.empty()) << result.complaints.front();
  return result;
}

TEST(GhostFronts, SendWhatRealFrontsSend) {
  for (const Method method : kRealMethods) {
    SCOPED_TRACE(static_cast<int>(method));
    const RankProblem<double> problem(method, 9, Values::dominant, Types::sequential, 4);
    const TimedRunResult ghosts = run_without_entries(problem);
    const TimedRunResult real = run_with_entries(problem);
    for (const std::string_view name : {"announce", "row_map", "rows"}) {
      SCOPED_TRACE(name);
      const MessageCounts of_ghosts = messages_named(ghosts.messages, name);
      EXPECT_GT(of_ghosts.messages, 0);
      EXPECT_EQ(of_ghosts.messages, messages_named(real.messages, name).messages);
      EXPECT_EQ(of_ghosts.bytes, messages_named(real.messages, name).bytes);
    }
  }
}

// A master's choice depends on its time, and the two runs have different clocks; in these cases the choice does not matter.
TEST(GhostFronts, TalkAboutRowsAsRealPartsDo) {
  for (const Method method : {Method::cholesky, Method::ldlt}) {
    SCOPED_TRACE(static_cast<int>(method));
    const RankProblem<double> problem(method, 11, Values::dominant, Types::row_distributed, 3);
    const TimedRunResult ghosts = run_without_entries(problem);
    const TimedRunResult real = run_with_entries(problem);
    for (const std::string_view name : {"announce", "slave_task", "slave_answer", "row_map", "rows", "front"}) {
      SCOPED_TRACE(name);
      const MessageCounts of_ghosts = messages_named(ghosts.messages, name);
      const MessageCounts of_real = messages_named(real.messages, name);
      EXPECT_GT(of_ghosts.messages, 0);
      EXPECT_EQ(of_ghosts.messages, of_real.messages);
      EXPECT_NEAR(static_cast<double>(of_ghosts.bytes), static_cast<double>(of_real.bytes),
                  0.15 * static_cast<double>(of_real.bytes));
    }
    const auto peak = static_cast<double>(*std::max_element(ghosts.peak_active_bytes.begin(), ghosts.peak_active_bytes.end()));
    const Count real_peak = *std::max_element(real.peak_active_bytes.begin(), real.peak_active_bytes.end());
    EXPECT_NEAR(peak, static_cast<double>(real_peak), 0.1 * peak);
  }
}

// The limit suffices for some shares but not for all.
TEST(GhostFronts, RefuseSharesThatPassTheLimit) {
  const RankProblem<double> problem(Method::lu, 9, Values::dominant, Types::row_distributed, 4);
  const TimedRunResult free = run_without_entries(problem);
  Count num_refusals = 0;
  for (const double share : {0.9, 0.8, 0.7, 0.6}) {
    const auto peak = static_cast<double>(*std::max_element(free.peak_bytes.begin(), free.peak_bytes.end()));
    const auto limit = static_cast<Count>(share * peak);
    const TimedRunResult result = run_without_entries(problem, limit);
    num_refusals += result.num_refusals;
    for (const Count bytes : result.peak_bytes) {
      EXPECT_LE(bytes, limit);
    }
  }
  EXPECT_GT(num_refusals, 0);
}

}  // namespace
}  // namespace frond::test
