// SPDX-License-Identifier: BSD-3-Clause
// Runs frond simulate with ranks that leave, and with fronts written to disks.
#include "frond/types.hpp"
#include "tests/tools/simulation/simulate_fixture.hpp"

namespace frond {
namespace {

using Json = nlohmann::json;

class SimulateRecovery : public testing::SimulateTest {
 protected:
  [[nodiscard]] double undisturbed_seconds(const std::string& ranks) const {
    return simulate({"--ranks", ranks}).at("predicted_seconds").get<double>();
  }
  [[nodiscard]] static std::string period(double seconds) { return std::to_string(seconds / 20) + "s"; }
};

TEST_F(SimulateRecovery, LetsARankLeave) {
  const Json undisturbed = simulate({"--ranks", "8"});
  const double half = undisturbed.at("predicted_seconds").get<double>() / 2;
  const Json run = simulate({"--ranks", "8", "--drain", "3@" + std::to_string(half)});
  for (std::size_t rank = 0; rank < 8; ++rank) {
    EXPECT_EQ(run.at("has_left_per_rank")[rank].get<bool>(), rank == 3);
    EXPECT_EQ(run.at("bytes_moved_per_rank")[rank].get<Count>() > 0, rank == 3);
  }
  EXPECT_GT(run.at("empty_at_seconds_per_rank")[3].get<double>(), half);
  EXPECT_EQ(run.at("refused_drains").size(), 0U);
  EXPECT_EQ(undisturbed.at("checkpoint"), nullptr);
}

TEST_F(SimulateRecovery, WritesFinishedFrontsToDisks) {
  const double seconds = undisturbed_seconds("8");
  const Json fast = simulate({"--ranks", "8", "--checkpoint-every", period(seconds), "--disk", "1e12"});
  const Json& written = fast.at("checkpoint");
  EXPECT_EQ(written.at("blocks_left_out").get<Count>(), 0);
  EXPECT_NEAR(fast.at("predicted_seconds").get<double>(), seconds, 0.05 * seconds);
  EXPECT_GE(written.at("lists").size(), 18U);
  double done = 0;
  for (const Json& list : written.at("lists")) {
    EXPECT_GE(list.at("flops_done").get<double>(), done);
    done = list.at("flops_done").get<double>();
    EXPECT_LE(list.at("flops_resumable").get<double>(), done * (1 + 1e-12));
  }
  EXPECT_GT(written.at("lists").back().at("flops_resumable").get<double>(), 0);
  // With all blocks on the disk, only work in progress is lost.
  EXPECT_LT(written.at("failure_seconds_max").get<double>(), seconds / 2);
}

// The run waits for its last writes once all is computed, but not for blocks before that.
TEST_F(SimulateRecovery, WaitsForSlowDisksInTheEndOnly) {
  const double seconds = undisturbed_seconds("4");
  const Json slow = simulate({"--ranks", "4", "--checkpoint-every", period(seconds), "--disk", "1e7"});
  const Json& written = slow.at("checkpoint");
  EXPECT_GT(written.at("blocks_left_out").get<Count>(), 0);
  EXPECT_GT(written.at("seconds_at_end").get<double>(), 0);
  const double at_rate = written.at("bytes_written").get<double>() / 1e7;  // the ranks share the disk
  EXPECT_GE(slow.at("predicted_seconds").get<double>(), 0.9 * at_rate);
}

TEST_F(SimulateRecovery, WritesWhatARankHasBeforeItLeaves) {
  const double half = undisturbed_seconds("8") / 2;
  const Json run =
      simulate({"--ranks", "8", "--drain", "3@" + std::to_string(half), "--checkpoint-every", std::to_string(half / 10) + "s"});
  EXPECT_TRUE(run.at("has_left_per_rank")[3].get<bool>());
  EXPECT_GT(run.at("checkpoint").at("lists").back().at("flops_resumable").get<double>(), 0);
}

double sum_of_flops(const Json& run) {
  double flops = 0;
  for (const Json& of_rank : run.at("flops_per_rank")) {
    flops += of_rank.get<double>();
  }
  return flops;
}

TEST_F(SimulateRecovery, BeginsAnewWithoutWhoIsLost) {
  const Json undisturbed = simulate({"--ranks", "8"});
  const auto seconds = undisturbed.at("predicted_seconds").get<double>();
  const Json run = simulate({"--ranks", "8", "--lose", "0@" + std::to_string(seconds / 2), "--lose",
                             "5@" + std::to_string(seconds / 2), "--detect", std::to_string(seconds / 10)});
  ASSERT_EQ(run.at("restarts").size(), 1U);
  const Json& restart = run.at("restarts")[0];
  EXPECT_EQ(restart.at("lost"), Json({0, 5}));
  EXPECT_EQ(restart.at("ranks"), 6);
  EXPECT_EQ(restart.at("fronts_found"), 0);
  EXPECT_NEAR(restart.at("begin_seconds").get<double>(), 0.6 * seconds, 1e-5);
  EXPECT_GE(run.at("predicted_seconds").get<double>(), 1.5 * seconds);
  // The remaining ranks redo everything, and some work was done before the loss.
  EXPECT_GT(sum_of_flops(run), 1.2 * sum_of_flops(undisturbed));
  EXPECT_LT(sum_of_flops(run), 2 * sum_of_flops(undisturbed));
  for (std::size_t rank = 0; rank < 8; ++rank) {
    EXPECT_EQ(run.at("is_lost_per_rank")[rank].get<bool>(), rank == 0 || rank == 5);
  }
  EXPECT_EQ(undisturbed.at("restarts").size(), 0U);
}

TEST_F(SimulateRecovery, GoesOnFromWhatIsOnTheDisk) {
  const Json undisturbed = simulate({"--ranks", "8"});
  const auto seconds = undisturbed.at("predicted_seconds").get<double>();
  const Json run = simulate({"--ranks", "8", "--lose", "3@" + std::to_string(0.7 * seconds), "--detect", "0", "--checkpoint-every",
                             period(seconds), "--disk", "1e12"});
  const Json& restart = run.at("restarts")[0];
  const auto found = restart.at("flops_found").get<double>();
  EXPECT_GT(found, 0.3 * sum_of_flops(undisturbed));
  EXPECT_GE(sum_of_flops(run), sum_of_flops(undisturbed) * (1 - 1e-12));
  EXPECT_LT(sum_of_flops(run), 1.3 * sum_of_flops(undisturbed));
  Count bytes_read = 0;
  for (const Json& of_rank : run.at("bytes_read_per_rank")) {
    bytes_read += of_rank.get<Count>();
  }
  EXPECT_GT(bytes_read, 0);
  EXPECT_LT(run.at("predicted_seconds").get<double>(), 1.5 * seconds);
}

// A rank is needed only until the run ends: a later loss causes no restart.
TEST_F(SimulateRecovery, LosesAllButOne) {
  const double seconds = undisturbed_seconds("4");
  const Json run = simulate({"--ranks", "4", "--lose", "0@0", "--lose", "1@" + std::to_string(seconds), "--lose",
                             "3@" + std::to_string(2 * seconds), "--detect", "0.0001"});
  EXPECT_EQ(run.at("restarts").back().at("ranks"), 1);
  EXPECT_GT(run.at("predicted_seconds").get<double>(), 2 * seconds);
  EXPECT_EQ(simulate({"--ranks", "4", "--lose", "2@" + std::to_string(2 * seconds)}).at("restarts").size(), 0U);
}

TEST_F(SimulateRecovery, RefusesLossesThatCannotBe) {
  const std::vector<std::vector<std::string>> all = {{"--ranks", "2", "--lose", "2@1"},
                                                     {"--ranks", "2", "--lose", "0@1", "--lose", "1@1"},
                                                     {"--ranks", "3", "--lose", "0@1", "--lose", "0@2"},
                                                     {"--ranks", "3", "--lose", "soon"}};
  for (const std::vector<std::string>& words : all) {
    std::vector<std::string> command = {"simulate", matrix()};
    command.insert(command.end(), words.begin(), words.end());
    expect_end(command, 2, "--lose");
  }
}

TEST_F(SimulateRecovery, RefusesPeriodsThatAreNone) {
  for (const char* none : {"0", "-1", "soon"}) {
    expect_end({"simulate", matrix(), "--checkpoint-every", none}, 2, "--checkpoint-every");
  }
}

}  // namespace
}  // namespace frond
