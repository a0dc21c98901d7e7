// SPDX-License-Identifier: BSD-3-Clause
// Tests the text of reports: the worst of all columns, and what limits the accuracy.
#include "solver/numerics/problem/report.hpp"

#include <gtest/gtest.h>

#include "solver/numerics/problem/known_inertia.hpp"

namespace frond {
namespace {

TEST(SolveReport, TakesTheWorstOfEveryColumn) {
  SolveReport report;
  report.columns = {{1e-16, 3e-16, 0}, {5e-16, 2e-16, 2}};
  EXPECT_EQ(report.worst().normwise_backward_error, 5e-16);
  EXPECT_EQ(report.worst().componentwise_backward_error, 3e-16);
  EXPECT_EQ(report.worst().refinement_steps, 2);
}

TEST(SolveReport, SaysWhatWasReached) {
  SolveReport report;
  report.columns = {{1e-16, 3e-16, 1}};
  EXPECT_EQ(report.describe(), "solved: backward error 1.0e-16 (componentwise 3.0e-16), refinement steps: 1");
  report.verdict = Verdict::accuracy_missed;
  report.target = 1e-17;
  EXPECT_EQ(report.describe(),
            "accuracy missed: backward error 1.0e-16 is above 1.0e-17 (refinement steps: 1); a larger pivot threshold may help");
}

TEST(SolveReport, CountsStepsOfGmres) {
  SolveReport report;
  report.columns = {{1e-16, 3e-16, 1}, {1e-16, 3e-16, 2, 7}};
  EXPECT_EQ(report.describe(), "solved: backward error 1.0e-16 (componentwise 3.0e-16), refinement steps: 2, of GMRES: 7");
}

TEST(SolveReport, SaysHowManyDigitsAreRight) {
  SolveReport report;
  report.columns = {{1e-16, 3e-16, 1, 0, 2e-12}};
  EXPECT_EQ(report.describe(),
            "solved: backward error 1.0e-16 (componentwise 3.0e-16), refinement steps: 1; at least 11 digits of x are right");
  report.condition = 4e3;
  report.columns = {{1e-16, 3e-16, 1, 0, 1e-17}};
  EXPECT_NE(report.describe().find("at least 15 digits of x are right (condition number about 4.0e+03)"), std::string::npos);
  report.columns[0].forward_error_bound = 5e-4;
  EXPECT_NE(report.describe().find(
                "; but the matrix is so ill-conditioned (condition number about 4.0e+03) that only about 3 digits of x "
                "are determined"),
            std::string::npos)
      << report.describe();
  report.columns[0].forward_error_bound = 0.05;
  EXPECT_NE(report.describe().find("only about 1 digit of x is determined"), std::string::npos);
  report.columns[0].forward_error_bound = std::numeric_limits<double>::infinity();
  EXPECT_NE(report.describe().find("that no digit of x is determined"), std::string::npos);
}

TEST(SolveReport, SaysOfHowManyColumnsBoundsAre) {
  SolveReport report;
  report.columns = {{1e-16, 3e-16, 1, 0, 2e-12}, {1e-16, 3e-16, 1}, {1e-16, 3e-16, 1}};
  const std::string solved = "solved: backward error 1.0e-16 (componentwise 3.0e-16), refinement steps: 1";
  EXPECT_EQ(report.describe(), solved + "; at least 11 digits of x are right in 1 of 3 columns, the others have no bound");
}

TEST(SolveReport, WarnsOfAConditionNumberWhereThereAreNoBounds) {
  SolveReport report;
  report.columns = {{1e-16, 3e-16, 1}};
  const std::string solved = report.describe();
  report.equilibrated_condition = 1e7;  // enough correct digits
  EXPECT_EQ(report.describe(), solved);
  report.equilibrated_condition = 4.5e11;
  const std::string warning =
      "; the equilibrated matrix is ill-conditioned (condition number about 4.5e+11): errors of x may reach 1e-04 of its size";
  EXPECT_EQ(report.describe(), solved + warning);
  report.columns[0].forward_error_bound = 1e-15;  // a bound replaces the warning
  EXPECT_EQ(report.describe(), solved + "; at least 15 digits of x are right");
  report.columns.push_back({1e-16, 3e-16, 1});
  EXPECT_EQ(report.describe(),
            solved + "; at least 15 digits of x are right in 1 of 2 columns, the others have no bound" + warning);
}

TEST(SolveReport, SaysHowManyEquationsAreAmongRoundingErrors) {
  SolveReport report;
  report.columns = {{1e-16, 1, 3}};
  report.columns[0].num_negligible_equations = 2;
  report.columns[0].negligible_size = 3e-33;
  EXPECT_EQ(
      report.describe(),
      "solved, but for 2 equations among rounding errors, whose terms are at most 3e-33 of the largest: backward error 1.0e-16 "
      "(componentwise 1.0e+00), refinement steps: 3");
}

TEST(SolveReport, SaysHowManyEquationsAreMissed) {
  SolveReport report;
  report.verdict = Verdict::accuracy_missed;
  report.target = 1e-13;
  report.columns = {{1e-16, 1, 3}};
  report.columns[0].num_missed_equations = 1;
  report.columns[0].improvable_backward_error = 3e-12;
  EXPECT_EQ(report.num_met(), 0);
  EXPECT_EQ(report.describe(),
            "accuracy missed: backward error 1.0e-16, but 1 equation is met only to 3.0e-12 of its terms (refinement steps: 3); a "
            "larger pivot threshold may help");
}

SolveReport with_null_pivots(const RankProof& rank = {}) {
  SolveReport report;
  report.verdict = Verdict::singular;
  report.order = 100;
  report.null_pivots = {16, 3, 40};
  report.rank = rank;
  return report;
}

TEST(SolveReport, NamesThePivotCountedFromOne) {
  SolveReport report = with_null_pivots();
  EXPECT_EQ(report.describe(),
            "singular: variable 17 (counted from 1) has no usable pivot; null pivots: 3, numerical rank: 97 of 100");
  report.verdict = Verdict::not_positive_definite;
  EXPECT_EQ(
      report.describe(),
      "not positive definite: the pivot of variable 17 (counted from 1) is not positive; use LDLT, or leave the method to Frond");
}

// A matrix proved to be singular is not in doubt, although its rank may be.
TEST(SolveReport, SaysSingularOnlyWhereThatIsProved) {
  SolveReport report = with_null_pivots({.status = RankVerdict::in_doubt, .lowest = 95, .highest = 98});
  EXPECT_EQ(report.describe(),
            "singular: variable 17 (counted from 1) has no usable pivot; null pivots: 3, numerical rank: between 95 and 98 of 100");
  report.rank.highest = 100;
  EXPECT_EQ(
      report.describe(),
      "rank in doubt: between 95 and 100 of 100; as far as pivots say, variable 17 (counted from 1) has no usable pivot; null "
      "pivots: 3, numerical rank: 97 of 100");
}

// The proved rank may be lower than null pivots show.
TEST(SolveReport, SaysTheRankThatNullPivotsDoNotShow) {
  EXPECT_EQ(
      with_null_pivots({.status = RankVerdict::singular, .lowest = 95, .highest = 95}).describe(),
      "singular: variable 17 (counted from 1) has no usable pivot; null pivots: 3 (5 by the rank), numerical rank: 95 of 100");
}

TEST(SolveReport, KnowsAnInertiaOnlyWhereItShowsTheRank) {
  SystemReport report;
  report.method = Method::ldlt;
  report.factorization.inertia = {.positive = 3, .negative = 2, .zero = 1};
  report.rank = {.status = RankVerdict::singular, .lowest = 5, .highest = 5};
  EXPECT_TRUE(has_inertia(report, false));
  report.rank.highest = 4;
  EXPECT_FALSE(has_inertia(report, false));
}

TEST(SolveReport, KnowsAZeroDeterminantOnlyWhereTheRankIsKnown) {
  SystemReport report;
  report.factorization.determinant = Determinant(0);
  report.rank.status = RankVerdict::singular;
  EXPECT_TRUE(has_determinant(report));
  report.rank.status = RankVerdict::in_doubt;
  EXPECT_FALSE(has_determinant(report));
  report.factorization.determinant = Determinant(2);
  EXPECT_TRUE(has_determinant(report));
}

TEST(Names, AreThoseOfTheCommandLine) {
  EXPECT_EQ(to_string(Method::cholesky), "cholesky");
  EXPECT_EQ(to_string(Method::ldlh), "ldlh");
  EXPECT_EQ(to_string(Verdict::accuracy_missed), "accuracy_missed");
}

}  // namespace
}  // namespace frond
