// SPDX-License-Identifier: BSD-3-Clause
// Runs frond calibrate in its quick mode: the figures are rough, but frond simulate accepts the file.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/programs/program_fixture.hpp"
#include "tools/program/calibration/machine_profile.hpp"

namespace frond::testing {
namespace {

class Calibrate : public testing::Program {};

TEST_F(Calibrate, WritesWhatSimulateReads) {
  const std::string machine = path("machine.json");
  const ChildResult result = run({"calibrate", "--quick", "-o", machine});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.errors.find("measuring"), std::string::npos);
  const MachineProfile profile = read_machine_profile(machine);
  EXPECT_FALSE(profile.processor.empty());
  EXPECT_EQ(profile.date.size(), std::string("2026-01-31").size());
  EXPECT_FALSE(profile.latency_seconds);
  ASSERT_EQ(run({"generate", "laplacian3d7", "14", "-o", path("A.mtx")}).exit_code, 0);
  const Json measured = simulate({"--ranks", "4", "--machine", machine});
  const double rate = profile.cores.at("double").at(Method::cholesky).elimination.largest_rate();
  EXPECT_DOUBLE_EQ(measured["flops_per_second"], rate);
  EXPECT_EQ(measured["latency_seconds"], 5e-6);
  const std::string slow = std::to_string(rate / 100);
  EXPECT_GT(simulate({"--ranks", "4", "--machine", machine, "--flops", slow})["predicted_seconds"],
            5 * measured["predicted_seconds"].get<double>());
}

TEST_F(Calibrate, MeasuresTheScalarsThatAreAskedFor) {
  const ChildResult result = run({"calibrate", "--quick", "--scalar", "float,complex double"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const Json cores = Json::parse(result.output).at("cores");
  EXPECT_EQ(cores.size(), 2u);
  EXPECT_TRUE(cores.contains("float"));
  EXPECT_TRUE(cores.contains("complex double"));
}

TEST_F(Calibrate, RefusesWrongUsage) {
  EXPECT_EQ(run({"calibrate", "--scalar", "quaternion"}).exit_code, 2);
  EXPECT_EQ(run({"calibrate", "--quick", "-o", path("absent") + "/machine.json"}).exit_code, 10);
}

TEST_F(Calibrate, SimulateTellsWhatIsWrongWithAMachine) {
  ASSERT_EQ(run({"generate", "laplacian2d5", "10", "-o", path("A.mtx")}).exit_code, 0);
  expect_end({"simulate", path("A.mtx"), "--machine", path("absent.json")}, 2, "frond calibrate -o");
}

}  // namespace
}  // namespace frond::testing
