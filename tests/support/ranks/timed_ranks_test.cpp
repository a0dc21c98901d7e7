// SPDX-License-Identifier: BSD-3-Clause
// Tests runs in virtual time: work takes its time, every run is the same, and views err only where they may.
#include "tests/support/ranks/timed_ranks.hpp"

#include <gtest/gtest.h>

#include "analysis/tree/front_cost.hpp"
#include "tests/support/ranks/rank_problem.hpp"

namespace frond::test {
namespace {

constexpr LoadMechanism kMechanisms[] = {LoadMechanism::naive, LoadMechanism::increments, LoadMechanism::local_increments,
                                         LoadMechanism::snapshot, LoadMechanism::partial_snapshot};

TimedRunResult run_in_time(const RankProblem<double>& problem, LoadMechanism mechanism, const TimedNetworkOptions& network = {}) {
  return factorize_in_virtual_time(*problem.symbolic, problem.method, problem.a, problem.mapping,
                                   {.exchange = {.mechanism = mechanism, .threshold = {}}, .network = network});
}

TEST(TimedRanks, TakeTheTimeOfTheirWorkAndOfMessages) {
  for (const Rank num_ranks : {1, 5}) {
    const RankProblem<double> problem(Method::lu, 10, Values::dominant, Types::row_distributed, num_ranks);
    const double work = elimination_seconds({problem.run_on_one_rank().report.flops, 0});
    const double seconds = run_in_time(problem, LoadMechanism::increments).seconds;
    EXPECT_GE(seconds, work / num_ranks * (1 - 1e-9));
    const double slow_seconds = run_in_time(problem, LoadMechanism::increments, {.latency_seconds = work}).seconds;
    if (num_ranks == 1) {
      EXPECT_LE(seconds, 1.5 * work);
      EXPECT_EQ(slow_seconds, seconds);
    } else {
      EXPECT_GE(slow_seconds, work);
    }
  }
}

TEST(TimedRanks, AreTheSameInEveryRun) {
  for (const LoadMechanism mechanism : kMechanisms) {
    SCOPED_TRACE(to_string(mechanism));
    const RankProblem<double> problem(Method::cholesky, 10, Values::dominant, Types::grid, 6);
    const TimedRunResult first = run_in_time(problem, mechanism);
    const TimedRunResult second = run_in_time(problem, mechanism);
    EXPECT_EQ(first.seconds, second.seconds);
    EXPECT_EQ(first.peak_active_bytes, second.peak_active_bytes);
    EXPECT_EQ(first.load_messages.messages, second.load_messages.messages);
    EXPECT_EQ(first.view_flops.mean, second.view_flops.mean);
    EXPECT_EQ(first.num_decisions, problem.mapping.num_nodes_of(NodeType::row_distributed));
    EXPECT_GT(first.num_slaves, 0);
    EXPECT_GT(first.peak_active_bytes, 0);
  }
}

// The naive mechanism reserves nothing: its views miss tasks on their way to slaves.
TEST(TimedRanks, MeasureTheErrorsOfViews) {
  const RankProblem<double> problem(Method::lu, 12, Values::dominant, Types::row_distributed, 8);
  for (const LoadMechanism mechanism : kMechanisms) {
    SCOPED_TRACE(to_string(mechanism));
    const TimedRunResult result = run_in_time(problem, mechanism);
    for (const ErrorSummary& errors : {result.view_flops, result.view_bytes}) {
      EXPECT_LE(errors.mean, errors.largest);
      EXPECT_LE(errors.largest, 2);
    }
    EXPECT_GT(result.view_flops.largest, 0);
  }
  EXPECT_GT(run_in_time(problem, LoadMechanism::naive).view_flops.mean,
            run_in_time(problem, LoadMechanism::partial_snapshot).view_flops.mean);
}

}  // namespace
}  // namespace frond::test
