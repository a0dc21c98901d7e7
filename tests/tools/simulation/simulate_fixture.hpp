// SPDX-License-Identifier: BSD-3-Clause
// Generates a matrix, and runs frond simulate as a program.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/programs/scratch_folder.hpp"
#include "tools/program/process/child_process.hpp"

namespace frond::testing {

class SimulateTest : public ::testing::Test {
 protected:
  using Json = nlohmann::json;

  void SetUp() override { ASSERT_EQ(run({"generate", "elasticity3d", "12", "-o", matrix()}).exit_code, 0); }

  [[nodiscard]] std::string matrix() const { return path("A.mtx"); }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }

  static ChildResult run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), FROND_PROGRAM);
    return run_child(arguments, 120);
  }

  [[nodiscard]] std::string output_of(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"simulate", matrix(), "--json", "-"});
    const ChildResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    return result.output;
  }
  [[nodiscard]] Json simulate(const std::vector<std::string>& arguments) const { return Json::parse(output_of(arguments)); }

 private:
  ScratchFolder folder_;
};

}  // namespace frond::testing
