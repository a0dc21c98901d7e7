// SPDX-License-Identifier: BSD-3-Clause
// Runs frond simulate with disturbed cores and messages.
#include <fmt/format.h>

#include "tests/tools/simulation/simulate_fixture.hpp"

namespace frond {
namespace {

class SimulateDisturbances : public testing::SimulateTest {
 protected:
  [[nodiscard]] double seconds(const std::vector<std::string>& arguments) const {
    return simulate(arguments).at("predicted_seconds").get<double>();
  }

  void expect_refused(const std::string& option, const std::string& value, const std::string& why) const {
    expect_end({"simulate", matrix(), "--ranks", "4", option, value}, 2, option + " " + value + ": ", why);
  }
};

TEST_F(SimulateDisturbances, SlowsRanksDown) {
  EXPECT_GT(seconds({"--ranks", "8", "--slow", "3:4"}), 1.1 * seconds({"--ranks", "8"}));
}

// A single rank never waits: each second with a factor f is worth 1 / f undisturbed seconds, wherever jobs begin and end.
TEST_F(SimulateDisturbances, StretchesWhatIsUnderWayWhenASpellBeginsOrEnds) {
  const double alone = seconds({"--ranks", "1"});
  const auto spell = [alone](double factor, double begin, double end) {
    return fmt::format("0:{}@{}-{}", factor, begin * alone, end * alone);
  };
  EXPECT_NEAR(seconds({"--ranks", "1", "--slow", spell(4, 0.2, 0.6)}), 1.3 * alone, 1e-6 * alone);
  EXPECT_NEAR(seconds({"--ranks", "1", "--slow", spell(4, 0.2, 0.6), "--slow", spell(0.5, 0.3, 0.5)}), 1.25 * alone, 1e-6 * alone);
  EXPECT_NEAR(seconds({"--ranks", "1", "--slow", fmt::format("0:3@{}-", 0.5 * alone)}), 2 * alone, 1e-6 * alone);
}

// The last execution ends exactly when the slowness changes, and must not be ended twice.
TEST_F(SimulateDisturbances, ChangeWhenAnExecutionEnds) {
  const double alone = seconds({"--ranks", "1"});
  EXPECT_DOUBLE_EQ(seconds({"--ranks", "1", "--slow", fmt::format("0:1@0-{}", alone)}), alone);
  EXPECT_DOUBLE_EQ(seconds({"--ranks", "1", "--slow", fmt::format("0:2@{}-", alone)}), alone);
}

// With two ranks on a core, executions take longer than their flops suggest.
TEST_F(SimulateDisturbances, StretchesOnSharedCores) {
  const std::vector<std::string> shared = {"--ranks", "2", "--hosts", "1"};
  const auto slowed = [&](const std::string& interval) {
    std::vector<std::string> arguments = shared;
    for (const char* rank : {"0", "1"}) {
      arguments.insert(arguments.end(), {"--slow", std::string(rank) + ":3" + interval});
    }
    return seconds(arguments);
  };
  const double twice = seconds(shared);
  EXPECT_NEAR(slowed(fmt::format("@{}-{}", 0.2 * twice, 0.5 * twice)), 1.2 * twice, 0.02 * twice);
  EXPECT_NEAR(slowed("@0-"), slowed(""), 1e-9 * twice);
}

TEST_F(SimulateDisturbances, RecordsSpells) {
  const Json run = simulate({"--ranks", "4", "--slow", "3:4", "--slow", "1:2@1e-3-0.5"});
  EXPECT_EQ(run.at("slow"), Json::parse(R"([{"rank": 3, "factor": 4.0, "from_seconds": 0.0, "to_seconds": null},
                                            {"rank": 1, "factor": 2.0, "from_seconds": 0.001, "to_seconds": 0.5}])"));
  EXPECT_EQ(run.at("competing_load"), nullptr);
}

TEST_F(SimulateDisturbances, DelaysMessagesOfRanks) {
  for (const char* traffic : {"events", "flows"}) {
    const std::vector<std::string> undisturbed = {"--ranks", "8", "--load-traffic", traffic};
    std::vector<std::string> delayed = undisturbed;
    delayed.insert(delayed.end(), {"--latency-of", "3:0.5", "--latency-of", "2:0"});
    const Json run = simulate(delayed);
    EXPECT_GT(run.at("predicted_seconds"), seconds(undisturbed) + 0.5) << traffic;
    EXPECT_EQ(run.at("latency_of"), Json::parse(R"([{"rank": 2, "seconds": 0.0}, {"rank": 3, "seconds": 0.5}])"));
  }
  EXPECT_EQ(seconds({"--ranks", "8", "--latency-of", "2:0"}), seconds({"--ranks", "8"}));
  EXPECT_EQ(seconds({"--ranks", "1", "--latency-of", "0:1"}), seconds({"--ranks", "1"}));
}

// Two ranks communicate over the same slow connection, which therefore acts like a slow network.
TEST_F(SimulateDisturbances, CountsOneDelayBetweenTwoRanks) {
  const double slow = seconds({"--ranks", "2", "--latency", "0.020005"});
  EXPECT_NEAR(seconds({"--ranks", "2", "--latency-of", "0:0.02"}), slow, 0.02 * slow);
  EXPECT_NEAR(seconds({"--ranks", "2", "--latency-of", "0:0.02", "--latency-of", "1:0.01"}), slow, 0.02 * slow);
}

TEST_F(SimulateDisturbances, HasCompetingLoadThatASeedSays) {
  const double alone = seconds({"--ranks", "1"});
  const Json run = simulate({"--ranks", "1", "--competing-load", "5:0.5"});
  EXPECT_GT(run.at("predicted_seconds"), 1.1 * alone);
  EXPECT_LT(run.at("predicted_seconds"), 1.9 * alone);
  EXPECT_EQ(run.at("competing_load").at("seed"), 5);
  EXPECT_EQ(run.at("competing_load").at("share"), 0.5);
  const auto flops = run.at("predicted_flops_per_rank")[0].get<double>();
  EXPECT_DOUBLE_EQ(run.at("competing_load").at("mean_seconds").get<double>(), 0.1 * flops / 5e9);
  EXPECT_EQ(output_of({"--ranks", "8", "--competing-load", "5"}), output_of({"--ranks", "8", "--competing-load", "5"}));
  EXPECT_NE(seconds({"--ranks", "8", "--competing-load", "5"}), seconds({"--ranks", "8", "--competing-load", "6"}));
}

TEST_F(SimulateDisturbances, GoTogetherWithLossesAndWorkThatMoves) {
  const double undisturbed = seconds({"--ranks", "8"});
  const Json run =
      simulate({"--ranks", "8", "--work", "ring", "--slow", fmt::format("3:4@{}-{}", 0.2 * undisturbed, undisturbed), "--slow",
                "6:2", "--latency-of", "2:0.001", "--competing-load", "1", "--lose", fmt::format("5@{}", undisturbed / 2),
                "--detect", "0.0001", "--checkpoint-every", fmt::format("{}", undisturbed / 10)});
  EXPECT_EQ(run.at("restarts").size(), 1U);
  EXPECT_GT(run.at("predicted_seconds"), undisturbed);
}

TEST_F(SimulateDisturbances, RefusesWhatCannotBe) {
  for (const char* malformed :
       {"3", "3:", "3:x", "x:4", "3:4@", "3:4@1", "3:4@x-2", "3:4@1-2s", "3:nan", "3:inf", "-1:2", "3:4 "}) {
    expect_refused("--slow", malformed, "RANK:FACTOR is expected, such as 3:4");
  }
  expect_refused("--slow", "4:2", "ranks go from 0 to 3");
  expect_refused("--slow", "3:0", "FACTOR must be above 0");
  expect_refused("--slow", "3:-2", "FACTOR must be above 0");
  expect_refused("--slow", "3:2@2-1", "FROM must be at least 0, and less than TO");
  expect_refused("--slow", "3:2@1-1", "FROM must be at least 0, and less than TO");
  expect_refused("--slow", "3:2@-1-1", "FROM must be at least 0, and less than TO");
  for (const char* malformed : {"3", "3:", "x:1", "3:1s", "3:inf", "-1:1"}) {
    expect_refused("--latency-of", malformed, "RANK:SECONDS is expected");
  }
  expect_refused("--latency-of", "4:1", "ranks go from 0 to 3");
  expect_refused("--latency-of", "3:-1", "SECONDS must be at least 0");
  EXPECT_EQ(run({"simulate", matrix(), "--ranks", "4", "--latency-of", "3:1", "--latency-of", "3:2"}).exit_code, 2);
  for (const char* malformed : {"x", "-1", "1:", "1:x", "1:0.5x"}) {
    expect_refused("--competing-load", malformed, "SEED or SEED:SHARE is expected");
  }
  expect_refused("--competing-load", "1:0", "SHARE must be above 0 and below 1");
  expect_refused("--competing-load", "1:1", "SHARE must be above 0 and below 1");
}

// Without --ranks there are 16 ranks.
TEST_F(SimulateDisturbances, KnowsRanksThatNobodyHasAskedFor) {
  const std::vector<std::vector<std::string>> all = {{"--slow", "16:2"}, {"--lose", "16@1"}, {"--drain", "16@1"}};
  for (const std::vector<std::string>& words : all) {
    expect_end({"simulate", matrix(), words[0], words[1]}, 2, "ranks go from 0 to 15");
  }
  EXPECT_EQ(run({"simulate", matrix(), "--lose", "15@1"}).exit_code, 0);
}

}  // namespace
}  // namespace frond
