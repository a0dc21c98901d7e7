// SPDX-License-Identifier: BSD-3-Clause
// Tests the calls of users at the place of one process.
#include "frond/place.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "tests/support/matrices/expect_solves.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

using testing::Flavour;

Triplets<double> triplets_of(const SparseMatrix<double>& matrix) {
  Triplets<double> entries{.num_rows = matrix.num_rows, .num_cols = matrix.num_cols, .symmetry = matrix.symmetry};
  testing::for_each_entry(matrix, [&](Index i, Index j, double value) { entries.add(i, j, value); });
  return entries;
}

TEST(PlaceOfOneProcess, IsTheDefault) {
  EXPECT_EQ(Place().rank(), 0);
  EXPECT_EQ(Place().num_ranks(), 1);
  const SparseMatrix<double> matrix = testing::laplacian<double>(5);
  const Factorization<double> factorization(matrix);
  testing::expect_solves(factorization, matrix);
  EXPECT_EQ(factorization.own_rows().size(), 125U);
}

TEST(PlaceOfOneProcess, TakesTripletsThatAreNotKept) {
  const SparseMatrix<double> matrix = testing::random_matrix<double>(60, 4, Symmetry::general, Flavour::dominant, 3);
  Triplets<double> entries = triplets_of(matrix);
  const Factorization<double> with_analysis(analyze(entries), entries);
  const Factorization<double> at_once(entries);
  entries = {};
  testing::expect_solves(with_analysis, matrix);
  testing::expect_solves(at_once, matrix);
}

TEST(PlaceOfOneProcess, ChecksOtherValuesBeforeTheyAreFactorized) {
  const SparseMatrix<double> matrix = testing::random_matrix<double>(60, 4, Symmetry::general, Flavour::dominant, 3);
  SparseMatrix<double> other = matrix;
  other.values.front() *= 1.25;
  const Analysis analysis = analyze(matrix);
  testing::expect_solves(Factorization<double>(analysis.with_values(SystemMatrix<double>(other)), other), other);
  Triplets<double> more = triplets_of(matrix);
  for (Index k = 0; k < 60; ++k) {
    more.add(k, 59 - k, 1.0);
  }
  const SparseMatrix<double> with_more = compress(more);
  EXPECT_THROW((void)analysis.with_values(SystemMatrix<double>(with_more)), UsageError);
}

// A general matrix whose values are symmetric is analysed, and fitted, as a triangle.
TEST(PlaceOfOneProcess, LooksForTheSymmetryOfOtherValues) {
  const SparseMatrix<double> symmetric = expand_to_general(testing::laplacian<double>(5).view());
  SparseMatrix<double> other = symmetric;
  other.values[1] *= 0.5;
  for (const auto& [analysed, fitted] : {std::pair(&symmetric, &symmetric), {&symmetric, &other}, {&other, &symmetric}}) {
    testing::expect_solves(Factorization<double>(analyze(*analysed).with_values(SystemMatrix<double>(*fitted)), *fitted), *fitted);
  }
}

TEST(PlaceOfOneProcess, HasNothingToCopyOrToDealOut) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(4);
  const Factorization<double> factorization(matrix);
  EXPECT_THROW((void)replicate_factors(factorization), UsageError);
  EXPECT_THROW((void)solve_in_blocks<double>(Place(), factorization, {}, {}), UsageError);
}

}  // namespace
}  // namespace frond
