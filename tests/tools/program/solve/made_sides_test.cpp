// SPDX-License-Identifier: BSD-3-Clause
// Tests right-hand sides that are consistent by construction, against a rank for which they would not be.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tools/program/records/run_record.hpp"

namespace frond {
namespace {

// Returns a record with a proved rank of 7 of 10, and one column per consistency error.
RunRecord singular_record(const std::vector<double>& consistency_errors) {
  RunRecord record;
  SolveReport& solve = record.solve.report;
  solve.verdict = Verdict::singular;
  solve.order = 10;
  solve.target = 1e-14;
  solve.rank = {.status = RankVerdict::singular, .lowest = 7, .highest = 7};
  solve.null_pivots = {0, 4, 5};
  for (const double error : consistency_errors) {
    ColumnReport& column = solve.columns.emplace_back();
    column.consistency_error = error;
    column.consistency = error <= solve.target ? Consistency::consistent : Consistency::inconsistent;
  }
  record.factorization.report.rank = solve.rank;
  record.analysis.structural_rank = 9;
  return record;
}

TEST(MadeSides, RefuteARankByWhichTheyHaveNoSolution) {
  RunRecord record = singular_record({1e-16, 1e-3});
  heed_made_sides(record);
  EXPECT_EQ(record.solve.report.verdict, Verdict::rank_in_doubt);
  EXPECT_EQ(record.solve.report.rank.status, RankVerdict::in_doubt);
  EXPECT_EQ(record.solve.report.rank.lowest, 7);
  EXPECT_EQ(record.solve.report.rank.highest, 9);
  EXPECT_EQ(record.factorization.report.rank.status, RankVerdict::in_doubt);
  ASSERT_EQ(record.solve.report.notes.size(), 1U);
  EXPECT_NE(record.solve.report.describe().find("rank in doubt: between 7 and 9 of 10"), std::string::npos)
      << record.solve.report.describe();
}

TEST(MadeSides, SayNothingElse) {
  RunRecord not_shown_by_pivots = singular_record({1e-3});
  not_shown_by_pivots.solve.report.null_pivots = {4, 5};
  heed_made_sides(not_shown_by_pivots);
  EXPECT_EQ(not_shown_by_pivots.solve.report.rank.status, RankVerdict::singular);
  RunRecord consistent = singular_record({1e-16, 2e-16});
  heed_made_sides(consistent);
  EXPECT_EQ(consistent.solve.report.rank.status, RankVerdict::singular);
  RunRecord solved = singular_record({std::numeric_limits<double>::quiet_NaN()});
  solved.solve.report.verdict = Verdict::solved;
  heed_made_sides(solved);
  EXPECT_EQ(solved.solve.report.rank.status, RankVerdict::singular);
  EXPECT_TRUE(consistent.solve.report.notes.empty() && solved.solve.report.notes.empty());
}

// A mixed factorization presumes the rank; the factorization in full precision that a solve fell back on knows better.
TEST(SecondFactors, SayWhatTheRankIs) {
  RunRecord record = singular_record({1e-16});
  record.factorization.report.rank = {.lowest = 10, .highest = 10};
  heed_second_factors(record);
  EXPECT_EQ(record.factorization.report.rank.lowest, 10) << "nothing was factorized again";
  record.factorization.report.is_mixed = true;
  heed_second_factors(record);
  EXPECT_EQ(record.factorization.report.rank.status, RankVerdict::singular);
  EXPECT_EQ(record.factorization.report.rank.highest, 7);
}

}  // namespace
}  // namespace frond
