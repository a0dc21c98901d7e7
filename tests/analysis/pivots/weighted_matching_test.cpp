// SPDX-License-Identifier: BSD-3-Clause
// Tests largest products against a brute-force search over all matchings.
#include "analysis/pivots/weighted_matching.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "frond/matrix.hpp"

namespace frond {
namespace {

double value_at(const SparseMatrix<double>& matrix, Index row, Index column) {
  const auto begin = matrix.row_indices.begin() + matrix.column_offsets[column];
  const auto end = matrix.row_indices.begin() + matrix.column_offsets[static_cast<std::size_t>(column) + 1];
  const auto entry = std::find(begin, end, row);
  return entry == end ? 0 : matrix.values[entry - matrix.row_indices.begin()];
}

// How good a matching is: first its size, then the logarithm of its product.
struct Quality {
  Index rank = 0;
  double log_product = 0;
  [[nodiscard]] bool is_below(const Quality& other) const {
    return rank < other.rank || (rank == other.rank && log_product < other.log_product);
  }
};

Quality best_quality(const SparseMatrix<double>& matrix, Index column, std::vector<bool>& taken) {
  if (column == matrix.num_cols) {
    return {};
  }
  Quality best = best_quality(matrix, column + 1, taken);
  for (Index row = 0; row < matrix.num_rows; ++row) {
    const double value = value_at(matrix, row, column);
    if (value > 0 && !taken[row]) {
      taken[row] = true;
      Quality quality = best_quality(matrix, column + 1, taken);
      ++quality.rank;
      quality.log_product += std::log(value);
      best = best.is_below(quality) ? quality : best;
      taken[row] = false;
    }
  }
  return best;
}

// Checks that the matching is a permutation along existing entries, and returns its quality.
Quality checked_quality(const SparseMatrix<double>& matrix, const WeightedMatching& matching) {
  std::vector<Index> sorted = matching.row_of_column;
  std::sort(sorted.begin(), sorted.end());
  for (Index k = 0; k < matrix.num_cols; ++k) {
    EXPECT_EQ(sorted[k], k);
  }
  Quality quality;
  for (Index column = 0; column < matrix.num_cols; ++column) {
    const double value = value_at(matrix, matching.row_of_column[column], column);
    if (matching.is_matched[column]) {
      EXPECT_GT(value, 0) << "column " << column;
      ++quality.rank;
      quality.log_product += std::log(value);
    }
  }
  EXPECT_EQ(quality.rank, matching.rank);
  return quality;
}

// The scaling proves that no matching is better: matched entries are 1, and no entry is larger.
void check_scaling(const SparseMatrix<double>& matrix, const WeightedMatching& matching, double tolerance) {
  for (Index column = 0; column < matrix.num_cols; ++column) {
    for (Count k = matrix.column_offsets[column]; k < matrix.column_offsets[static_cast<std::size_t>(column) + 1]; ++k) {
      const Index row = matrix.row_indices[k];
      const double log = std::log(matrix.values[k]) + matching.row_logs[row] + matching.col_logs[column];
      EXPECT_LE(log, tolerance) << "row " << row << ", column " << column;
      if (matching.is_matched[column] && matching.row_of_column[column] == row) {
        EXPECT_GE(log, -tolerance) << "row " << row << ", column " << column;
      }
    }
  }
}

// Few different magnitudes cause many ties; explicit zeros do not count as entries.
SparseMatrix<double> random_matrix(std::mt19937& random, Index order, double density, bool has_ties) {
  Triplets<double> triplets{order, order};
  std::bernoulli_distribution held(density);
  for (Index j = 0; j < order; ++j) {
    for (Index i = 0; i < order; ++i) {
      if (held(random)) {
        triplets.add(i, j,
                     has_ties ? std::ldexp(1.0, static_cast<int>(random() % 3)) * static_cast<double>(random() % 4 != 0)
                              : std::exp(std::normal_distribution<double>(0, 5)(random)));
      }
    }
  }
  return compress(std::move(triplets));
}

// Returns only the entries of matched rows and columns.
SparseMatrix<double> matched_part(const SparseMatrix<double>& matrix, const WeightedMatching& matching) {
  std::vector<bool> has_matched_row(matching.is_matched.size(), false);
  for (std::size_t column = 0; column < matching.is_matched.size(); ++column) {
    has_matched_row[matching.row_of_column[column]] = matching.is_matched[column];
  }
  Triplets<double> part{matrix.num_rows, matrix.num_cols};
  for (Index column = 0; column < matrix.num_cols; ++column) {
    for (Index row = 0; row < matrix.num_rows; ++row) {
      if (matching.is_matched[column] && has_matched_row[row]) {
        part.add(row, column, value_at(matrix, row, column));
      }
    }
  }
  return compress(std::move(part));
}

// Allows no looks, few, and enough.
TEST(NearlyLargestProduct, IsAsLargeAsItsGapSays) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  Count num_gaps = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const auto order = static_cast<Index>(random() % 60);
    const SparseMatrix<double> matrix = random_matrix(random, order, 0.02 + 0.06 * static_cast<double>(trial % 7), trial % 2 == 0);
    const Quality best = checked_quality(matrix, largest_product_matching(matrix.view()));
    for (const Count most_looks : {Count{-1}, Count{order}, Count{20} * order, Count{1} << 40}) {
      const WeightedMatching matching = nearly_largest_product_matching(matrix.view(), most_looks);
      const Quality found = checked_quality(matrix, matching);
      const double tolerance = 1e-11 * (1 + std::abs(best.log_product) + std::abs(found.log_product));
      ASSERT_EQ(found.rank, best.rank) << "trial " << trial;
      EXPECT_GE(matching.gap, 0);
      check_scaling(matrix, matching, matching.gap + tolerance);  // matched entries are 1 except for the gap ...
      WeightedMatching unmatched = matching;
      unmatched.is_matched.assign(unmatched.is_matched.size(), false);
      check_scaling(matrix, unmatched, tolerance);  // ... and none is larger than 1
      if (best.rank == order) {
        EXPECT_LE(best.log_product, found.log_product + matching.gap + tolerance) << "trial " << trial;
        EXPECT_LE(found.log_product, best.log_product + tolerance) << "trial " << trial;
      }
      if (most_looks > Count{1} << 30) {
        EXPECT_LE(matching.gap, tolerance);
      }
      num_gaps += matching.gap > 1e-6 ? 1 : 0;
    }
  }
  EXPECT_GT(num_gaps, 100);
}

// A full upper triangle of derivatives of Chebyshev series with two full rows: exact searches look at nearly all entries over and
// over.
TEST(NearlyLargestProduct, IsFoundInDenseTriangles) {
  constexpr Index kOrder = 300;
  Triplets<double> triplets{kOrder, kOrder};
  for (Index k = 0; k + 2 < kOrder; ++k) {
    for (Index p = k + 2; p < kOrder; p += 2) {
      triplets.add(k + 2, p, p * (static_cast<double>(p) * p - static_cast<double>(k) * k) - (p == k + 2 ? 1 : 0));
    }
  }
  for (Index p = 0; p < kOrder; ++p) {
    triplets.add(0, p, 1);
    triplets.add(1, p, 1);
  }
  const SparseMatrix<double> matrix = compress(std::move(triplets));
  const Quality best = checked_quality(matrix, largest_product_matching(matrix.view()));
  const WeightedMatching matching = nearly_largest_product_matching(matrix.view(), 4 * matrix.num_entries());
  const Quality found = checked_quality(matrix, matching);
  EXPECT_EQ(found.rank, kOrder);
  EXPECT_LE(best.log_product, found.log_product + matching.gap + 1e-8);
}

TEST(WeightedMatching, EqualsBruteForceOnSmallRandomMatrices) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int trial = 0; trial < 600; ++trial) {
    const auto order = static_cast<Index>(random() % 7);
    const SparseMatrix<double> matrix = random_matrix(random, order, 0.15 + 0.1 * static_cast<double>(trial % 7), trial % 2 == 0);
    std::vector<bool> taken(static_cast<std::size_t>(order), false);
    const Quality best = best_quality(matrix, 0, taken);
    const WeightedMatching matching = largest_product_matching(matrix.view());
    const Quality found = checked_quality(matrix, matching);
    check_scaling(matrix, matching, 1e-12 * (1 + std::abs(found.log_product)));
    ASSERT_EQ(found.rank, best.rank) << "trial " << trial;
    const SparseMatrix<double> part = matched_part(matrix, matching);
    taken.assign(taken.size(), false);
    const double largest = best_quality(part, 0, taken).log_product;
    ASSERT_NEAR(found.log_product, largest, 1e-12 * (1 + std::abs(largest))) << "trial " << trial;
  }
}

TEST(WeightedMatching, IsNotMovedByScalingsOfRowsAndColumns) {
  std::mt19937 random(5);
  SparseMatrix<double> matrix = random_matrix(random, 200, 0.05, false);
  const std::vector<Index> rows = largest_product_matching(matrix.view()).row_of_column;
  for (Index j = 0; j < 200; ++j) {
    for (Count k = matrix.column_offsets[j]; k < matrix.column_offsets[static_cast<std::size_t>(j) + 1]; ++k) {
      matrix.values[k] *= std::ldexp(1.0, 5 * (j % 7) - 3 * (matrix.row_indices[k] % 11));
    }
  }
  EXPECT_EQ(largest_product_matching(matrix.view()).row_of_column, rows);
}

// Many columns compete for few rows, so that failing searches leave behind one set of rows after another.
TEST(WeightedMatching, ScalesWhatTheStructureMakesSingular) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 200; ++trial) {
    const SparseMatrix<double> matrix = random_matrix(random, 40, 0.02 + 0.0002 * trial, trial % 2 == 0);
    const WeightedMatching matching = largest_product_matching(matrix.view());
    check_scaling(matrix, matching, 1e-10);
    if (::testing::Test::HasFailure()) {
      FAIL() << "trial " << trial << ", rank " << matching.rank;
    }
  }
}

TEST(WeightedMatching, GivesUpAfterTheLooksItMayTake) {
  std::mt19937 random(12);
  const SparseMatrix<double> matrix = random_matrix(random, 100, 0.1, false);
  std::vector<double> logarithms(matrix.values.size());
  std::transform(matrix.values.begin(), matrix.values.end(), logarithms.begin(), [](double value) { return std::log(value); });
  EXPECT_FALSE(largest_product_matching(matrix.pattern(), logarithms, 10).has_value());
  const auto matching = largest_product_matching(matrix.pattern(), logarithms, 1 << 20);
  ASSERT_TRUE(matching.has_value());
  EXPECT_EQ(matching->row_of_column, largest_product_matching(matrix.view()).row_of_column);
}

// Every row of the arrow can be matched in one way only, and the chain of augmentations goes through all of them.
TEST(WeightedMatching, FollowsLongPaths) {
  const Index n = 20000;
  Triplets<double> triplets{n, n};
  for (Index j = 0; j < n; ++j) {
    if (j > 0) {
      triplets.add(j - 1, j, 1);
    }
    triplets.add(j, j, j + 1 < n ? 1e-8 : 0);
  }
  triplets.add(n - 1, 0, 1e-3);
  const WeightedMatching matching = largest_product_matching(compress(std::move(triplets)).view());
  EXPECT_EQ(matching.rank, n);
  EXPECT_EQ(matching.row_of_column[0], n - 1);
  EXPECT_EQ(matching.row_of_column[7], 6);
}

TEST(WeightedMatching, GivesColumnsWithoutEntriesTheirOwnRowsFirst) {
  Triplets<double> triplets{4, 4};
  triplets.add(0, 1, 3);
  triplets.add(2, 2, 0);
  const WeightedMatching matching = largest_product_matching(compress(std::move(triplets)).view());
  EXPECT_EQ(matching.rank, 1);
  EXPECT_EQ(matching.row_of_column, (std::vector<Index>{1, 0, 2, 3}));
  EXPECT_EQ(matching.is_matched, (std::vector<bool>{false, true, false, false}));
}

}  // namespace
}  // namespace frond
