// SPDX-License-Identifier: BSD-3-Clause
// Tests the judgement of made-up answers.
#include "tools/program/labels/standing.hpp"

#include <gtest/gtest.h>

namespace frond {
namespace {

PeerAnswer answer_with(double normwise, double componentwise) {
  PeerAnswer answer;
  answer.backward_error = normwise;
  answer.componentwise_backward_error = componentwise;
  return answer;
}

TEST(Standing, JudgesAnswersByTheirErrors) {
  const LargestErrors largest{.normwise = 1e-13, .componentwise = 1e-14};
  EXPECT_EQ(outcome_of(answer_with(1e-16, 1e-15), largest), SolverOutcome::solved);
  EXPECT_EQ(outcome_of(answer_with(1e-16, std::nan("")), largest), SolverOutcome::solved);
  EXPECT_EQ(outcome_of(answer_with(1e-14, 2e-14), largest), SolverOutcome::in_norm);
  EXPECT_EQ(outcome_of(answer_with(2e-13, 1e-15), largest), SolverOutcome::inaccurate);
  EXPECT_EQ(outcome_of(answer_with(std::numeric_limits<double>::infinity(), 0), largest), SolverOutcome::inaccurate);
  EXPECT_EQ(outcome_of(answer_with(std::nan(""), 0), largest), SolverOutcome::inaccurate);
}

TEST(Standing, TellsWhyThereIsNoAnswer) {
  PeerAnswer answer = answer_with(0, 0);
  answer.error = "zero pivot";
  EXPECT_EQ(outcome_of(answer, {}), SolverOutcome::refused);
  answer.is_over_limit = true;
  EXPECT_EQ(outcome_of(answer, {}), SolverOutcome::over_limit);
  PeerAnswer absent = answer_with(0, 0);
  absent.skipped = "has no LU";
  EXPECT_EQ(outcome_of(absent, {}), SolverOutcome::no_part);
}

TEST(Standing, JudgesFrondByTheSameErrors) {
  LabelCheck check;
  check.verdict = "solved";
  EXPECT_EQ(outcome_of(check), SolverOutcome::inaccurate);
  check.is_solved_in_norm = true;
  EXPECT_EQ(outcome_of(check), SolverOutcome::in_norm);
  check.is_solved = true;
  EXPECT_EQ(outcome_of(check), SolverOutcome::solved);
  check.is_solved_in_norm = check.is_solved = false;
  check.verdict = "singular (variable 3)";
  EXPECT_EQ(outcome_of(check), SolverOutcome::refused);
  check.agreement = Agreement::over_limit;
  EXPECT_EQ(outcome_of(check), SolverOutcome::over_limit);
}

TEST(Standing, CountsByKind) {
  Standing one{"one"};
  one.count(LabelKind::nonsingular, SolverOutcome::solved);
  one.count(LabelKind::nonsingular, SolverOutcome::in_norm);
  one.count(LabelKind::singular, SolverOutcome::refused);
  const std::string table = describe({one, Standing{"other"}});
  EXPECT_NE(table.find("2 nonsingular"), std::string::npos) << table;
  EXPECT_NE(table.find("0 nearly singular"), std::string::npos) << table;
  EXPECT_NE(table.find("1 singular"), std::string::npos) << table;
  EXPECT_NE(table.find("other"), std::string::npos) << table;
}

}  // namespace
}  // namespace frond
