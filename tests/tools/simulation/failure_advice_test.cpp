// SPDX-License-Identifier: BSD-3-Clause
// Tests checkpoint intervals and expected times against randomly drawn failures.
#include "tools/simulation/failure_advice.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "frond/error.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

using OrderedJson = nlohmann::ordered_json;

// Returns the mean time over many drawn runs of work that is saved every `interval` seconds, at a cost of `per_checkpoint` seconds.
double drawn_mean(double work, double interval, double per_checkpoint, double to_resume, double between, int num_runs) {
  std::mt19937 random(3);
  std::exponential_distribution<double> draw(1 / between);
  double total = 0;
  for (int run = 0; run < num_runs; ++run) {
    double saved = 0;
    double failure = draw(random);
    double now = 0;
    while (saved < work) {
      const double step = std::min(interval, work - saved);
      if (now + step + per_checkpoint <= failure) {
        now += step + per_checkpoint;
        saved += step;
        continue;
      }
      now = failure;
      failure = now + draw(random);
      while (now + to_resume > failure) {  // it fails again while resuming
        now = failure;
        failure = now + draw(random);
      }
      now += to_resume;
    }
    total += now / num_runs;
  }
  return total;
}

TEST(FailureAdvice, ExpectsWhatHappensOnAverage) {
  constexpr int kNumRuns = 4000;
  for (const double between : {30.0, 100.0, 1000.0}) {
    const double anew = drawn_mean(100, 100, 0, 0, between, kNumRuns);
    EXPECT_NEAR(expected_seconds_anew(100, between), anew, 0.06 * anew) << between;
    const double saved = drawn_mean(100, 5, 0, 2, between, kNumRuns);
    EXPECT_NEAR(expected_seconds(100, 2.5, 2, between), saved, 0.03 * saved) << between;
  }
  EXPECT_EQ(expected_seconds(100, 0, 0, 10), 100);
  EXPECT_TRUE(std::isinf(expected_seconds_anew(1e6, 1)));
}

// Shorter and longer intervals cost more.
TEST(FailureAdvice, FindsTheIntervalThatCostsLeast) {
  constexpr int kNumRuns = 4000;
  for (const double between : {50.0, 400.0}) {
    const double best = checkpoint_interval(1, between);
    const double cost = drawn_mean(200, best, 1, 0, between, kNumRuns);
    EXPECT_LT(cost, drawn_mean(200, best / 3, 1, 0, between, kNumRuns)) << between;
    EXPECT_LT(cost, drawn_mean(200, best * 3, 1, 0, between, kNumRuns)) << between;
  }
  EXPECT_NEAR(checkpoint_interval(1e-4, 1e4), std::sqrt(2.0), 1e-3);  // Young's formula
  EXPECT_EQ(checkpoint_interval(100, 20), 20);
}

OrderedJson run_of(double seconds, double lost, double bytes) {
  return {{"predicted_seconds", seconds}, {"checkpoint", {{"failure_seconds_mean", lost}, {"bytes_written", bytes}}}};
}

TEST(FailureAdvice, SaysWhetherCheckpointsPay) {
  const OrderedJson pays = failure_json(run_of(7200, 0, 0), run_of(7300, 60, 6e11), {1e9, 0.01}, 28800);
  EXPECT_DOUBLE_EQ(pays.at("seconds_to_read_back").get<double>(), 300);
  EXPECT_NEAR(pays.at("checkpoint_every_seconds").get<double>(), 24, 0.1);
  const std::string text = failure_text(pays);
  EXPECT_NE(text.find("one every 8 h"), std::string::npos) << text;
  EXPECT_NE(text.find("--set checkpoint-every=24s it takes 2.0"), std::string::npos) << text;
  EXPECT_NE(text.find("takes 2.27 h on average"), std::string::npos) << text;
  EXPECT_EQ(text.find("does not pay"), std::string::npos) << text;
  const std::string slow = failure_text(failure_json(run_of(60, 0, 0), run_of(7300, 60, 6e11), {1e8, 0.01}, 28800));
  EXPECT_NE(slow.find("does not pay"), std::string::npos) << slow;
  const OrderedJson never = failure_json(run_of(1e6, 0, 0), run_of(1e6, 60, 6e11), {1e9, 0.01}, 100);
  EXPECT_NE(failure_text(never).find("does not come to its end"), std::string::npos);
}

TEST(DiskRates, AreMeasuredAndLeaveNothingBehind) {
  const testing::ScratchFolder folder;
  const DiskRates rates = measure_disk(folder.path("."));
  EXPECT_GT(rates.bytes_per_second, 1e5);
  EXPECT_GT(rates.seconds_per_list, 0);
  EXPECT_LT(rates.seconds_per_list, 5);
  EXPECT_EQ(folder.num_files(), 0);
  EXPECT_THROW(static_cast<void>(measure_disk(folder.path("nowhere"))), OutputError);
}

}  // namespace
}  // namespace frond
