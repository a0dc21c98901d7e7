// SPDX-License-Identifier: BSD-3-Clause
// Tests sweeps and advice of frond simulate as users see them.
#include <algorithm>

#include "tests/tools/simulation/simulate_fixture.hpp"

namespace frond {
namespace {

using SimulateSweep = testing::SimulateTest;

TEST_F(SimulateSweep, IsTheSameAsItsRunsOneByOne) {
  const Json sweep = simulate({"--sweep", "--ranks", "2,6", "--schedule", "memory", "--load-exchange", "increments,snapshot",
                               "--load-thread", "on,off", "--table", path("table.tsv"), "--html", path("page.html")});
  ASSERT_EQ(sweep["runs"].size(), 8U);
  EXPECT_TRUE(sweep["failed_runs"].empty());
  for (const Json& run : sweep["runs"]) {
    const Json alone = simulate({"--ranks", run["ranks"].dump(), "--schedule", "memory", "--load-exchange", run["load_exchange"],
                                 "--load-thread", run["load_thread"] ? "on" : "off"});
    for (const auto& [key, value] : run.items()) {
      EXPECT_EQ(alone[key], value) << key;
    }
  }
  const std::string table = folder_.read("table.tsv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 9);
  EXPECT_NE(table.find("6\tsnapshot\tmemory\toff\t"), std::string::npos) << table;
  EXPECT_NE(folder_.read("page.html").find("</html>"), std::string::npos);
}

TEST_F(SimulateSweep, GoesOnAfterRunsThatFail) {
  const Json sweep =
      simulate({"--sweep", "--ranks", "1,8", "--schedule", "flops", "--load-exchange", "increments", "--memory-limit", "9MB"});
  EXPECT_EQ(sweep["runs"].size(), 1U) << sweep.dump(1);
  ASSERT_EQ(sweep["failed_runs"].size(), 1U);
  EXPECT_EQ(sweep["failed_runs"][0]["ranks"], 1);
  EXPECT_NE(sweep["failed_runs"][0]["error"].get<std::string>().find("bytes"), std::string::npos);
}

TEST_F(SimulateSweep, RefusesListsWithoutIt) {
  EXPECT_EQ(run({"simulate", matrix(), "--ranks", "2,4"}).exit_code, 2);
  EXPECT_EQ(run({"simulate", matrix(), "--table", path("t.tsv")}).exit_code, 2);
  EXPECT_EQ(run({"simulate", matrix(), "--sweep", "--load-exchange", "increments,guess"}).exit_code, 2);
}

TEST_F(SimulateSweep, ShowsASingleRunOnAPage) {
  EXPECT_EQ(run({"simulate", matrix(), "--ranks", "4", "--html", path("one.html")}).exit_code, 0);
  EXPECT_NE(folder_.read("one.html").find("</html>"), std::string::npos);
}

TEST_F(SimulateSweep, Advises) {
  expect_end({"analyze", matrix(), "--advise", "--json", path("advice.json")}, 0, "advice", "frond solve " + matrix());
  const Json record = Json::parse(folder_.read("advice.json"));
  EXPECT_LT(record["advised_run"], record["runs"].size());
  EXPECT_GE(record["runs"].back()["ranks"], 4) << "more and more ranks, until they do not pay";
  EXPECT_GT(record["runs"][record["advised_run"].get<std::size_t>()]["ranks"], 1);
  expect_end({"analyze", matrix(), "--advise", "--max-memory-per-rank", "1kB"}, 0, "none of these numbers of processes does");
}

}  // namespace
}  // namespace frond
