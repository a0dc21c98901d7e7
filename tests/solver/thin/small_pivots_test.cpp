// SPDX-License-Identifier: BSD-3-Clause
// Tests what thin factors count as a small pivot, the proof that follows, and when they are tried again after they did not suit.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

#include "frond/factorization.hpp"
#include "frond/solve.hpp"
#include "solver/thin/thin_analysis.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/thin_options.hpp"

namespace frond {
namespace {

using testing::Flavour;
using testing::with_thin;

// L U does not depend on scales of columns.
TEST(ThinSystem, TakesNoPivotForSmallBecauseItsColumnIs) {
  SparseMatrix<double> matrix = testing::random_matrix<double>(60, 4, Symmetry::general, Flavour::dominant, 3);
  for (Count entry = matrix.column_offsets[7]; entry < matrix.column_offsets[8]; ++entry) {
    matrix.values[entry] *= 0x1p-40;
  }
  const Factorization<double> thin(matrix, with_thin(Use::always));
  EXPECT_EQ(thin.report().rank.status, RankVerdict::presumed);
  EXPECT_GT(thin.report().factorization.smallest_pivot, 0.1);
}

// Returns the entry (k, k), which makes the inverse's 1 / distance.
double& make_nearly_singular(SparseMatrix<double>& matrix, Index k, double distance) {
  std::vector<double> unit(static_cast<std::size_t>(matrix.num_rows), 0.0);
  std::vector<double> x(unit.size());
  unit[k] = 1;
  (void)Factorization<double>(matrix, with_thin(Use::never)).solve(unit, x);
  const auto rows = std::span(matrix.row_indices).subspan(matrix.column_offsets[k]);
  double& entry = matrix.values[matrix.column_offsets[k] + std::ranges::find(rows, k) - rows.begin()];
  entry += distance - 1 / x[k];
  return entry;
}

TEST(ThinSystem, ProvesTheRankWhereAPivotIsSmall) {
  SparseMatrix<double> matrix = testing::random_matrix<double>(60, 9, Symmetry::general, Flavour::dominant, 3);
  double& entry = make_nearly_singular(matrix, 7, 0x1p-36);
  Factorization<double> thin(matrix, with_thin(Use::always));
  ASSERT_TRUE(thin.analysis().thin());
  const RankProof& proof = thin.report().rank;
  EXPECT_EQ(proof.status, RankVerdict::nonsingular);
  EXPECT_EQ(proof.lowest, 60);
  EXPECT_LT(proof.number, 1e-3);
  EXPECT_GT(thin.report().equilibrated_condition, 1e8);
  const DenseMatrix<double> b = testing::random_dense<double>(60, 1, 2);
  DenseMatrix<double> x(60, 1);
  const SolveReport report = thin.solve(view_of(b), view_of(x));
  EXPECT_EQ(report.verdict, Verdict::solved);
  EXPECT_EQ(report.rank.status, RankVerdict::nonsingular);
  EXPECT_LE(testing::dense_componentwise_error(testing::dense(matrix), x, b), 1e-14);
  entry += 1;
  thin.refactorize(matrix.values);
  EXPECT_EQ(thin.report().rank.status, RankVerdict::presumed);
}

TEST(ThinSystem, RestsLongerEachTimeValuesDoNotSuitIt) {
  SparseMatrix<double> matrix = testing::random_matrix<double>(60, 4, Symmetry::general, Flavour::dominant, 3);
  const std::vector<double> good = matrix.values;
  make_nearly_singular(matrix, 7, 0);
  const std::vector<double> bad = matrix.values;
  Factorization<double> thin(matrix, with_thin(Use::always));
  ASSERT_FALSE(thin.analysis().thin());
  const auto is_thin_with = [&thin](std::span<const double> values) {
    thin.refactorize(values);
    return thin.analysis().thin() != nullptr;
  };
  const auto num_without = [&](std::span<const double> values) {
    int count = 0;
    while (!is_thin_with(values)) {
      ++count;
    }
    return count;
  };
  EXPECT_FALSE(is_thin_with(bad));
  EXPECT_EQ(num_without(good), 1);
  EXPECT_FALSE(is_thin_with(bad));
  EXPECT_EQ(num_without(good), 0) << "it has served in between";
  for (const int num_rests : {0, 0, 1, 3}) {
    for (int k = 0; k < num_rests; ++k) {
      EXPECT_FALSE(is_thin_with(good));
    }
    EXPECT_FALSE(is_thin_with(bad));
  }
  EXPECT_EQ(num_without(good), 7);
}

// Entries between diagonal blocks, however large, do not make a pivot small.
TEST(ThinSystem, JudgesPivotsBesideEntriesOfTheirBlocks) {
  auto matrix = testing::from_triplets<double>(3, Symmetry::general, {0, 0, 1, 1, 2}, {0, 1, 1, 2, 2}, {1, 0x1p90, 1, 0x1p90, 1});
  Factorization<double> thin(matrix, with_thin(Use::always));
  EXPECT_EQ(thin.report().rank.status, RankVerdict::presumed);
  thin.refactorize(matrix.values);
  EXPECT_EQ(thin.report().rank.status, RankVerdict::presumed);
}

}  // namespace
}  // namespace frond
