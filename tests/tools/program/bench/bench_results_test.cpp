// SPDX-License-Identifier: BSD-3-Clause
// Tests medians, best peers, means and profiles of results.
#include "tools/program/bench/bench_results.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/tools/program/bench/fake_results.hpp"

namespace frond {
namespace {

TEST(BenchResults, TakesMediansOverRuns) {
  const BenchResults results = testing::fake_results();
  const Medians medians = medians_of(results.problems[0].entries[0]);
  EXPECT_EQ(medians.factor, 2);
  EXPECT_EQ(medians.factor_spread, 0.5);
  EXPECT_EQ(medians.total, 4.5);
  EXPECT_EQ(medians.peak_bytes, 1000);
  EXPECT_TRUE(std::isnan(medians.peak_to_estimate));
  EXPECT_EQ(flop_rate(results.problems[0], results.problems[0].entries[0]), 4e9);
  EXPECT_EQ(dgemm_rate(results, 1), 6e9);
  EXPECT_EQ(triad_rate(results, 2), 2e10);
  EXPECT_TRUE(std::isnan(dgemm_rate(results, 4)));
  EXPECT_TRUE(std::isnan(medians_of(results.problems[1].entries.back()).factor));
}

TEST(BenchResults, FindsTheBestPeerOnAsManyCoresOrFewer) {
  const BenchResults results = testing::fake_results();
  EXPECT_EQ(best_peer(results.problems[0], 1, &Medians::factor), 3);  // beta
  EXPECT_EQ(best_peer(results.problems[0], 2, &Medians::factor), 2);  // alpha
  EXPECT_EQ(best_peer(results.problems[0], 2, &Medians::total), 6);   // alpha
  EXPECT_EQ(best_peer(results.problems[1], 1, &Medians::factor), 4);  // alpha, since beta has failed
  EXPECT_TRUE(std::isnan(best_peer(results.problems[2], 1, &Medians::factor)));
  EXPECT_DOUBLE_EQ(ratio_to_best_peer(results.problems[0], results.problems[0].entries[0], &Medians::factor), 2.0 / 3);
  EXPECT_DOUBLE_EQ(ratio_to_best_peer(results.problems[0], results.problems[0].entries[1], &Medians::factor), 0.5);
}

TEST(BenchResults, TakesMeansOverProblems) {
  const std::vector<MeanRatios> means = mean_ratios(testing::fake_results());
  ASSERT_EQ(means.size(), 2u);
  EXPECT_EQ(means[0].contestant, "frond, 1 thread");
  EXPECT_DOUBLE_EQ(means[0].ratios[1], std::sqrt(2.0 / 3 * 2.0 / 4));
  EXPECT_EQ(means[1].contestant, "frond, 2 threads");
  EXPECT_DOUBLE_EQ(means[1].ratios[1], 0.5);
  EXPECT_DOUBLE_EQ(means[1].ratios[3], 2.5 / 6);
  EXPECT_DOUBLE_EQ(means[1].ratios[0], 0.25);
}

TEST(BenchResults, LetsASolverLeaveCoresIdleInProfiles) {
  const ProfileTimes times = profile_times(testing::fake_results(), 2);
  EXPECT_EQ(times.programs, (std::vector<std::string>{"alpha", "beta <&>", "frond"}));
  EXPECT_EQ(times.seconds[0], (std::vector<double>{6, 6}));
  EXPECT_EQ(times.seconds[1][0], 10);
  EXPECT_TRUE(std::isnan(times.seconds[1][1]));
  EXPECT_EQ(times.seconds[2], (std::vector<double>{2.5, 2.5}));
  EXPECT_EQ(core_counts(testing::fake_results()), (std::vector<int>{1, 2}));
}

TEST(BenchResults, TellsABusyMachine) {
  BenchResults results = testing::fake_results();
  EXPECT_FALSE(was_busy(results));  // 10 Gflop/s on two cores, 6 on one
  results.machine[1].flop_rate = 9e9;
  EXPECT_TRUE(was_busy(results));
}

TEST(BenchResults, ComparesNoAnalysesOfAGivenOrdering) {
  BenchResults results = testing::fake_results();
  results.has_same_ordering = true;
  EXPECT_TRUE(std::isnan(mean_ratios(results).front().ratios[0]));
}

TEST(Contestant, IsNamedByItsCores) {
  EXPECT_EQ((Contestant{{"klu", ""}, 1, 1}.label()), "klu, 1 thread");
  EXPECT_EQ((Contestant{{"mumps", ""}, 2, 1}.label()), "mumps, 2 threads");
  EXPECT_EQ((Contestant{{"mumps_mpi", ""}, 1, 2}.label()), "mumps_mpi, 2 processes");
}

TEST(BenchResults, KeepTheFastestSetting) {
  BenchResult result;
  result.entries = {testing::fake_entry("alpha", 2, {testing::fake_run(2, 3, 2, 1)}),
                    testing::fake_entry("alpha", 2, {testing::fake_run(1, 3, 2, 1)}),
                    testing::fake_entry("alpha", 2, {testing::fake_run(3, 3, 2, 1)}),
                    testing::fake_entry("alpha", 1, {testing::fake_run(9, 9, 9, 9)})};
  result.entries[1].contestant.setting = {"/lib/openblas-openmp", true};
  result.entries[2].contestant.setting = {"/lib/openblas-openmp", false};
  leave_out_slower_settings(result);
  EXPECT_EQ(result.entries[0].skipped, "slower than alpha, 2 threads, openmp BLAS, spinning");
  EXPECT_TRUE(result.entries[1].counts());
  EXPECT_FALSE(result.entries[2].counts());
  EXPECT_TRUE(result.entries[3].counts());
}

}  // namespace
}  // namespace frond
