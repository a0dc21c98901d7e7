// SPDX-License-Identifier: BSD-3-Clause
// Tests the machines of frond simulate: hosts shared by ranks, platform files, flows of load messages.
#include <fstream>

#include "tests/tools/simulation/simulate_fixture.hpp"

namespace frond {
namespace {

class SimulateMachine : public testing::SimulateTest {
 protected:
  [[nodiscard]] double seconds(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"--ranks", "8"});
    return simulate(arguments)["predicted_seconds"];
  }

  // Describes hosts on one switch, like those simulated without a file.
  [[nodiscard]] std::string write_platform(const std::string& hosts, const std::string& core) const {
    std::ofstream(path("platform.xml"))
        << "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
        << "<cluster id=\"c\" prefix=\"node-\" radical=\"" << hosts << "\" suffix=\"\" speed=\"5e9f\" core=\"" << core
        << "\" bw=\"1e9Bps\" lat=\"2.5us\" loopback_bw=\"1e9Bps\" loopback_lat=\"5us\"/>\n</platform>\n";
    return path("platform.xml");
  }
};

TEST_F(SimulateMachine, SharesTheCoresOfHosts) {
  const double alone = seconds({});
  const double on_two_cores = seconds({"--hosts", "1", "--cores", "2"});
  const double on_one_core = seconds({"--hosts", "1"});
  EXPECT_GT(on_two_cores, 1.2 * alone);
  EXPECT_GT(on_one_core, 1.7 * on_two_cores);
  EXPECT_LT(on_one_core, 2.1 * on_two_cores);
}

TEST_F(SimulateMachine, TakesPlatformFiles) {
  EXPECT_NEAR(seconds({"--platform", write_platform("0-15", "1")}), seconds({}), 0.02 * seconds({}));
  const double on_two_cores = seconds({"--hosts", "1", "--cores", "2"});
  EXPECT_NEAR(seconds({"--platform", write_platform("0-0", "2")}), on_two_cores, 0.1 * on_two_cores);
}

TEST_F(SimulateMachine, RefusesWhatIsNoPlatform) {
  expect_end({"simulate", matrix(), "--platform", path("absent.xml")}, 2, "absent.xml");
  std::ofstream(path("broken.xml")) << "<platform>";
  const ChildResult broken = run({"simulate", matrix(), "--platform", path("broken.xml")});
  EXPECT_NE(broken.exit_code, 0);
  EXPECT_LT(broken.exit_code, 128) << broken.errors;
  EXPECT_NE(broken.errors.find("broken.xml"), std::string::npos) << broken.errors;
  EXPECT_EQ(run({"simulate", matrix(), "--platform", write_platform("0-3", "1"), "--hosts", "2"}).exit_code, 2);
}

TEST_F(SimulateMachine, HasFlowsOfLoadMessagesThatAgreeWithEvents) {
  for (const char* exchange : {"increments", "snapshot"}) {
    const Json events = simulate({"--ranks", "16", "--load-exchange", exchange});
    const Json flows = simulate({"--ranks", "16", "--load-exchange", exchange, "--load-traffic", "flows"});
    EXPECT_NEAR(flows["predicted_seconds"], events["predicted_seconds"], 0.1 * events["predicted_seconds"].get<double>());
    EXPECT_NEAR(flows["load_messages"], events["load_messages"], 0.1 * events["load_messages"].get<double>());
  }
}

}  // namespace
}  // namespace frond
