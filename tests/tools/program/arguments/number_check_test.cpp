// SPDX-License-Identifier: BSD-3-Clause
// Tests numbers on command lines.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/programs/program_fixture.hpp"

namespace frond {
namespace {

class NumberCheck : public testing::Program {
 protected:
  // Expects this value to be refused before any work, with a short message, and returns the message.
  std::string refusal(const std::string& command, const std::string& option, const std::string& value) {
    const bool is_setting = !option.starts_with("--");
    const ChildResult result = run({command, small(), is_setting ? "--set" : option, is_setting ? option + "=" + value : value});
    EXPECT_EQ(result.exit_code, 2) << option << ' ' << value;
    EXPECT_EQ(result.output, "") << option << ' ' << value;
    EXPECT_LT(result.errors.size(), 200U) << result.errors;
    return result.errors;
  }
};

TEST_F(NumberCheck, RefusesWhatIsNoNumberOfItsRange) {
  const std::vector<std::pair<std::string, std::string>> of_solve = {
      {"refine-to", "a number from 0 to 1e-14, in single precision 5.4e-6"},
      {"watchdog", "a number of at least 0"},
      {"heartbeat-limit", "a number of at least 0"},
      {"null-threshold", "a number from 0 to 0.5"},
      {"pivot-perturbation", "a number from 0 to 0.5"},
      {"pivot-threshold", "automatic, or a number from 0 to 1"}};
  for (const auto& [option, range] : of_solve) {
    for (const char* value : {"nan", "-nan", "inf", "1e400", "-1", "-1e-300", "3x", "many"}) {
      const std::string expected = fmt::format("frond: error: --set: {} must be {}, not {}", option, range, value);
      EXPECT_EQ(refusal("solve", option, value).substr(0, expected.size()), expected);
    }
  }
  EXPECT_NE(refusal("solve", "null-threshold", "0.6").find("from 0 to 0.5, not 0.6"), std::string::npos);
  for (const char* value : {"nan", "0", "-1", "inf"}) {
    EXPECT_NE(refusal("check-labels", "--time-limit", value).find("must be a number above 0, not "), std::string::npos);
    EXPECT_NE(refusal("check-labels", "--largest-error", value).find("must be a number above 0, not "), std::string::npos);
  }
  EXPECT_NE(refusal("bench", "--time-limit", "nan").find("must be a number of at least 0, not nan"), std::string::npos);
  EXPECT_NE(refusal("bench", "--repeat", "0").find("must be an integer from 1 to 1048576, not 0"), std::string::npos);
}

TEST_F(NumberCheck, TakesBothEndsOfRanges) {
  for (const char* setting : {"pivot-threshold=0", "pivot-threshold=1", "null-threshold=0", "pivot-perturbation=0.5",
                              "refine-to=1e-15", "watchdog=1.5", "heartbeat-limit=0"}) {
    EXPECT_EQ(run({"solve", small(), "--set", setting}).exit_code, 0) << setting;
  }
}

}  // namespace
}  // namespace frond
