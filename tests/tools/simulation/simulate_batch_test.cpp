// SPDX-License-Identifier: BSD-3-Clause
// Runs frond simulate-batch: schedules of systems that take given seconds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "tests/support/programs/documented_keys.hpp"
#include "tools/program/process/child_process.hpp"
#include "tools/simulation/batch/simulated_batch.hpp"

namespace frond {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

ChildResult run(Words arguments) {
  arguments.insert(arguments.begin(), {FROND_PROGRAM, "simulate-batch"});
  return run_child(arguments, 60);
}

Json simulate(Words arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  const ChildResult result = run(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  return Json::parse(result.output);
}

double seconds(const Words& arguments) { return simulate(arguments).at("predicted_seconds").get<double>(); }

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const Words kRules = {"static", "ss", "mfsc", "gss", "tss", "fac", "rand", "awf-b", "awf-c", "awf-d", "awf-e", "af"};

TEST(SimulateBatch, TakesTheSecondsOfAllSystemsOnOneRank) {
  const Json run = simulate({"40", "--seconds", "0.25", "--ranks", "1"});
  EXPECT_NEAR(run.at("predicted_seconds").get<double>(), 10, 1e-7);
  EXPECT_EQ(run.at("messages"), 0);
  EXPECT_EQ(run.at("systems_per_rank"), Json::array({40}));
  EXPECT_EQ(seconds({"0"}), 0);
}

// No schedule beats an equal share, and equal systems dealt out one by one come close to it, except for the last ones.
TEST(SimulateBatch, SharesEquallyByAllRules) {
  for (const std::string& rule : kRules) {
    const Json run = simulate({"400", "--seconds", "0.5", "--ranks", "8", "--chunks", rule});
    EXPECT_EQ(run.at("systems_done"), 400) << rule;
    EXPECT_EQ(run.at("chunks"), rule);
    const auto needed = run.at("predicted_seconds").get<double>();
    EXPECT_GE(needed, 25) << rule;
    EXPECT_LE(needed, rule == "rand" ? 60 : 30) << rule;
    const auto busy = run.at("busy_seconds_per_rank").get<std::vector<double>>();
    EXPECT_GE(std::accumulate(busy.begin(), busy.end(), 0.0), 200 * (1 - 1e-12)) << rule;
  }
}

TEST(SimulateBatch, SurvivesTheLossOfAllButTheFirstWhereCopiesAreGiven) {
  const Words batch = {"100",    "--seconds", "0.1",    "--ranks", "5",      "--lose", "1@0.35",
                       "--lose", "2@0.35",    "--lose", "3@0.35",  "--lose", "4@0.35"};
  for (const std::string& rule : kRules) {
    const Json run = simulate(with(batch, {"--chunks", rule}));
    EXPECT_EQ(run.at("systems_done"), 100) << rule;
    EXPECT_EQ(run.at("is_lost_per_rank"), Json::array({0, 1, 1, 1, 1}));
    // Each of the lost ranks had finished three systems; one rank does the rest.
    EXPECT_NEAR(run.at("predicted_seconds").get<double>(), 8.8, 0.2) << rule;
    const Json without = simulate(with(batch, {"--chunks", rule, "--reissue", "off"}));
    EXPECT_TRUE(without.at("predicted_seconds").is_null()) << rule;
    EXPECT_LT(without.at("systems_done").get<int>(), 100) << rule;
  }
  const ChildResult said = run(with(batch, {"--reissue", "off"}));
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_NE(said.output.find("predicted      no end: ranks that are lost have 4 systems"), std::string::npos) << said.output;
}

TEST(SimulateBatch, LetsOthersDoWhatSlowRanksHave) {
  const Words batch = {"64", "--seconds", "1", "--ranks", "4", "--chunks", "static", "--slow", "3:10"};
  EXPECT_NEAR(seconds(with(batch, {"--reissue", "off"})), 160, 0.01);
  const Json with_copies = simulate(batch);
  EXPECT_LT(with_copies.at("predicted_seconds").get<double>(), 24);
  EXPECT_GT(with_copies.at("copies_given").get<int>(), 10);
  // Half of the time passes at a third of the speed.
  EXPECT_NEAR(seconds({"20", "--seconds", "1", "--ranks", "1", "--slow", "0:3@0-30"}), 40, 1e-7);
}

TEST(SimulateBatch, DelaysMessages) {
  const double undisturbed = seconds({"64", "--seconds", "1", "--ranks", "4"});
  EXPECT_GT(seconds({"64", "--seconds", "1", "--ranks", "4", "--latency-of", "3:5", "--reissue", "off"}), undisturbed + 2);
  EXPECT_GT(seconds({"64", "--seconds", "1", "--ranks", "4", "--competing-load", "5:0.5"}), 1.2 * undisturbed);
}

TEST(SimulateBatch, GivesTheSameResultEachTime) {
  const Words batch = {"300", "--seconds", "0.1:0.3", "--ranks", "7", "--chunks", "awf-c", "--competing-load", "4"};
  EXPECT_EQ(simulate(with(batch, {"--seed", "9"})), simulate(with(batch, {"--seed", "9"})));
  EXPECT_NE(simulate(with(batch, {"--seed", "9"})), simulate(with(batch, {"--seed", "10"})));
}

TEST(SimulateBatch, WritesTheKeysThatAreDocumentedAndNoOthers) {
  testing::expect_documented_keys(simulate({"4"}), FROND_DOCS "/simulate-batch.md");
}

TEST(SimulateBatch, DrawsSecondsWithTheirMeanAndDeviation) {
  const std::vector<double> drawn = draw_seconds(200000, 0.05, 0.05, 3);
  const auto count = static_cast<double>(drawn.size());
  const double mean = std::accumulate(drawn.begin(), drawn.end(), 0.0) / count;
  const double squares = std::accumulate(drawn.begin(), drawn.end(), 0.0,
                                         [mean](double sum, double one) { return sum + (one - mean) * (one - mean); });
  EXPECT_NEAR(mean, 0.05, 0.001);
  EXPECT_NEAR(std::sqrt(squares / count), 0.05, 0.003);
  EXPECT_GT(*std::min_element(drawn.begin(), drawn.end()), 0);
  EXPECT_EQ(draw_seconds(3, 0.5, 0, 1), std::vector<double>(3, 0.5));
}

TEST(SimulateBatch, RefusesWhatCannotBeMeant) {
  const auto refusal = [](const Words& arguments) {
    const ChildResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    return result.errors;
  };
  for (const std::string law : {"0", "-1", "x", "1:", "1:-1", "1:2:3", "1x", "nan", "inf", "1:inf"}) {
    EXPECT_NE(refusal({"9", "--seconds=" + law}).find("--seconds " + law + ": MEAN"), std::string::npos) << law;
  }
  EXPECT_NE(refusal({"9", "--lose", "0@1"}).find("process 0 deals out"), std::string::npos);
  EXPECT_NE(refusal({"9", "--ranks", "2", "--lose", "2@1"}).find("ranks go from 0 to 1"), std::string::npos);
  EXPECT_NE(refusal({"9", "--chunks", "best"}).find("--chunks"), std::string::npos);
  EXPECT_NE(refusal({}).find("systems"), std::string::npos);
}

}  // namespace
}  // namespace frond
