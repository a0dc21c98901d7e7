// SPDX-License-Identifier: BSD-3-Clause
// Tests the messages for words that no command knows.
#include "tools/program/arguments/parse_error.hpp"
#include "solver/options/suggestion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
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
  EXPECT_EQ(
      refusal({"solve", "A.mtx", "B.mtx"}),
      "frond: error: 'B.mtx' is one word too many; all that the command takes was given before it (see frond solve --help)\n");
  EXPECT_EQ(refusal({"solve"}), "frond: error: the matrix is missing: frond solve A.mtx (see frond solve --help)\n");
  EXPECT_EQ(refusal({}), "frond: error: the command is missing; try frond solve A.mtx (see frond --help)\n");
  EXPECT_THAT(refusal({"slove", "A.mtx"}), HasSubstr("'slove' is no command; did you mean solve?; there are solve, batch"));
  EXPECT_THAT(refusal({"paint", "A.mtx"}), Not(HasSubstr("did you mean")));
}

TEST_F(ParseErrors, NameTheSpellingOfWhatWasAnOption) {
  const auto advice = [](const std::vector<std::string>& words) {
    const std::string errors = refusal(words);
    return errors.substr(errors.find("; ") + 2, errors.find(" (see") - errors.find("; ") - 2);
  };
  EXPECT_EQ(advice({"solve", "A.mtx", "--matching", "always"}), "write --set matching=always");
  EXPECT_EQ(advice({"solve", "A.mtx", "--matching=never"}), "write --set matching=never");
  EXPECT_EQ(advice({"solve", "--matching", "always", "A.mtx"}), "write --set matching=WHEN");
  EXPECT_EQ(advice({"solve", "A.mtx", "--seed", "3"}), "write --set seed=3");
  EXPECT_EQ(advice({"analyze", "A.mtx", "--reuse", "many"}), "write --set reuse=many");
  EXPECT_EQ(advice({"batch", "list", "--heartbeat-limit", "2"}), "write --set heartbeat-limit=2");
  EXPECT_EQ(advice({"solve", "A.mtx", "--transpose"}), "write --operation transpose");
  EXPECT_EQ(advice({"solve", "A.mtx", "--adjoint"}), "write --operation adjoint");
}

TEST_F(ParseErrors, NameWhatSettingsCanBe) {
  const auto objection = [](const std::vector<std::string>& settings) {
    std::vector<std::string> words = {"solve", "A.mtx"};
    for (const std::string& setting : settings) {
      words.insert(words.end(), {"--set", setting});
    }
    const std::string errors = refusal(words);
    return errors.substr(0, errors.find(" (see"));
  };
  EXPECT_EQ(objection({"matching=sometimes"}), "frond: error: --set: matching must be automatic|never|always, not sometimes");
  EXPECT_EQ(objection({"matching"}), "frond: error: --set: matching must be automatic|never|always, not ");
  EXPECT_EQ(objection({"krylov-steps=-1"}), "frond: error: --set: krylov-steps must be a number from 0 to 100000, not -1");
  EXPECT_EQ(objection({"macthing=always"}), "frond: error: --set: there is no setting 'macthing'; did you mean matching?");
  EXPECT_EQ(objection({"method=lu"}), "frond: error: --set: method is an option of its own: --method");
  EXPECT_EQ(objection({"reuse=1", "matching=never", "reuse=many"}),
            "frond: error: --set: reuse is set twice; leave one of them out");
  EXPECT_EQ(refusal({"batch", "list", "--set", "chunks=gss"}),
            "frond: error: --set: chunks is an option of its own: --chunks (see frond batch --help)\n");
}

}  // namespace
}  // namespace frond
