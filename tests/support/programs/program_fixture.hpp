// SPDX-License-Identifier: BSD-3-Clause
// Runs the frond program as its users do: a command line, two streams, files and an exit code.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/programs/json_values.hpp"
#include "tests/support/programs/scratch_folder.hpp"
#include "tools/program/process/child_process.hpp"

namespace frond::testing {

class Program : public ::testing::Test {
 protected:
  static ChildResult run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), FROND_PROGRAM);
    return run_child(arguments, 120);
  }

  // Expects that the program ends with this code and prints these texts: verdicts on its output, errors on the other stream. Where
  // nothing was begun (2), the output is empty.
  template <class... Texts>
  static void expect_end(const std::vector<std::string>& arguments, int exit_code, const Texts&... said) {
    SCOPED_TRACE(::testing::PrintToString(arguments));
    const ChildResult result = run(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << result.errors;
    EXPECT_TRUE(exit_code != 2 || result.output.empty()) << result.output;
    const std::string& text = exit_code == 0 || exit_code == 3 ? result.output : result.errors;
    for (const std::string& part : std::vector<std::string>{said...}) {
      EXPECT_NE(text.find(part), std::string::npos) << part << ", but: " << text;
    }
  }

  // Solves and returns the JSON; extra arguments are appended.
  Json solve(const std::string& matrix, std::vector<std::string> arguments = {}, int exit_code = 0) {
    arguments.insert(arguments.begin(), {"solve", matrix, "--json", "-"});
    const ChildResult result = run(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << result.errors;
    return Json::parse(result.output);
  }

  // Simulates A.mtx and returns the JSON.
  [[nodiscard]] std::string output_of(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"simulate", path("A.mtx"), "--json", "-"});
    const ChildResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    return result.output;
  }
  [[nodiscard]] Json simulate(const std::vector<std::string>& arguments) const { return Json::parse(output_of(arguments)); }

  std::string generate(const std::string& kind, const std::string& size) {
    EXPECT_EQ(run({"generate", kind, size, "-o", folder_.path("A.mtx")}).exit_code, 0);
    return folder_.path("A.mtx");
  }

  // Order 3, row and column 2 (counted from 1) empty.
  std::string singular() { return folder_.write("S.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n3 3 1\n"); }

  // [2 1; 0 4]
  std::string small() {
    return folder_.write("s.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n1 2 1\n2 2 4\n");
  }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }

  ScratchFolder folder_;
};

}  // namespace frond::testing
