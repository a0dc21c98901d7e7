// SPDX-License-Identifier: BSD-3-Clause
// Tests the messages for words that no command knows.
#include "tools/program/arguments/parse_error.hpp"
#include "solver/options/suggestion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/programs/program_fixture.hpp"

namespace frond {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Suggestion, IsTheNearestNameThatIsNear) {
  const std::vector<std::string> names = {"--threads", "--time-limit", "--rhs", "--out"};
  EXPECT_EQ(suggestion("--thread", names), "; did you mean --threads?");
  EXPECT_EQ(suggestion("--theads", names), "; did you mean --threads?");
  EXPECT_EQ(suggestion("--rsh", names), "; did you mean --rhs?");
  EXPECT_EQ(suggestion("--timelimit", names), "; did you mean --time-limit?");
  EXPECT_EQ(suggestion("--memory", names), "");
  EXPECT_EQ(suggestion("", names), "");
  EXPECT_EQ(suggestion("--rhs", {}), "");
}

class ParseErrors : public testing::Program {
 protected:
  static std::string refusal(const std::vector<std::string>& words) {
    const ChildResult result = run(words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    return result.errors;
  }
};

TEST_F(ParseErrors, NameTheWordAndWhatMayBeMeant) {
  EXPECT_EQ(refusal({"solve", "A.mtx", "--thread", "2"}),
            "frond: error: there is no option --thread; did you mean --threads? (see frond solve --help)\n");
  EXPECT_EQ(refusal({"solve", "A.mtx", "--thread=2"}),
            "frond: error: there is no option --thread; did you mean --threads? (see frond solve --help)\n");
  EXPECT_EQ(refusal({"solve", "A.mtx", "--threads", "two"}),
            "frond: error: --threads: must be an integer from 0 to 4096, not two (see frond solve --help)\n");
  EXPECT_EQ(refusal({"solve", "A.mtx", "--rhs"}), "frond: error: --rhs: its value is missing (see frond solve --help)\n");
  EXPECT_THAT(refusal({"solve", "A.mtx", "--method", "lu", "--method", "ldlt"}),
              HasSubstr("--method: it is given more than once;"));
  EXPECT_THAT(refusal({"solve", "A.mtx", "--expand", "a", "b", "--expand", "c", "d", "--schur", "1"}),
              HasSubstr("more than once;"));
  EXPECT_THAT(refusal({"solve", "A.mtx", "--expand", "a", "--schur", "1"}), HasSubstr("--expand: its value is missing"));
  EXPECT_EQ(
      refusal({"solve", "A.mtx", "B.mtx"}),
      "frond: error: 'B.mtx' is one word too many; all that the command takes was given before it (see frond solve --help)\n");
  EXPECT_EQ(refusal({"solve"}), "frond: error: the matrix is missing: frond solve A.mtx (see frond solve --help)\n");
  EXPECT_EQ(refusal({}), "frond: error: the command is missing; try frond solve A.mtx (see frond --help)\n");
  EXPECT_THAT(refusal({"slove", "A.mtx"}), HasSubstr("'slove' is no command; did you mean solve?; there are solve, batch"));
  EXPECT_THAT(refusal({"paint", "A.mtx"}), Not(HasSubstr("did you mean")));
}

TEST_F(ParseErrors, NameTheSpellingOfWhatWasAnOption) {
  EXPECT_EQ(refusal({"solve", "A.mtx", "--matching", "always"}),
            "frond: error: there is no option --matching; write --set matching=always (see frond solve --help)\n");
  EXPECT_THAT(refusal({"solve", "A.mtx", "--matching=never"}), HasSubstr("; write --set matching=never ("));
  EXPECT_THAT(refusal({"solve", "--matching", "always", "A.mtx"}), HasSubstr("; write --set matching=WHEN ("));
  EXPECT_THAT(refusal({"solve", "A.mtx", "--seed", "3"}), HasSubstr("; write --set seed=3 ("));
  EXPECT_THAT(refusal({"analyze", "A.mtx", "--reuse", "many"}), HasSubstr("; write --set reuse=many ("));
  EXPECT_THAT(refusal({"batch", "list", "--heartbeat-limit", "2"}), HasSubstr("; write --set heartbeat-limit=2 ("));
  EXPECT_THAT(refusal({"solve", "A.mtx", "--transpose"}), HasSubstr("; write --operation transpose ("));
}

TEST_F(ParseErrors, NameWhatSettingsCanBe) {
  for (const auto& [setting, objection] : std::vector<std::pair<std::string, std::string>>{
           {"matching=sometimes", "matching must be automatic|never|always, not sometimes"},
           {"matching", "matching must be automatic|never|always, not "},
           {"krylov-steps=-1", "krylov-steps must be a number from 0 to 100000, not -1"},
           {"macthing=always", "there is no setting 'macthing'; did you mean matching?"},
           {"method=lu", "method is an option of its own: --method"},
           {"reuse=1", "reuse is set twice; leave one of them out"}}) {
    EXPECT_EQ(refusal({"solve", "A.mtx", "--set", setting, "--set", "reuse=many"}),
              "frond: error: --set: " + objection + " (see frond solve --help)\n");
  }
  EXPECT_THAT(refusal({"batch", "list", "--set", "chunks=gss"}), HasSubstr("chunks is an option of its own: --chunks"));
}

}  // namespace
}  // namespace frond
