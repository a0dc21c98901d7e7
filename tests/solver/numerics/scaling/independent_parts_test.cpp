// SPDX-License-Identifier: BSD-3-Clause
// Tests that no entry joins two parts, that each part has its own rows and columns, and that parts are scaled like matrices.
#include "solver/numerics/scaling/independent_parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

#include "frond/matrix.hpp"
#include "solver/numerics/scaling/scaling.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

/// Dense blocks with entries of many magnitudes and random signs, whose rows and columns are shuffled independently;
/// row_of_column[column] is a row of the column's block.
struct ShuffledBlocks {
  SparseMatrix<double> matrix;
  std::vector<Index> row_of_column;

  ShuffledBlocks(Index count, Index size, std::mt19937_64& random) : row_of_column(static_cast<std::size_t>(count * size)) {
    const Index order = count * size;
    std::vector<Index> row_place(static_cast<std::size_t>(order));
    std::iota(row_place.begin(), row_place.end(), 0);
    std::vector<Index> col_place = row_place;
    std::shuffle(row_place.begin(), row_place.end(), random);
    std::shuffle(col_place.begin(), col_place.end(), random);
    std::uniform_real_distribution<double> exponent(-20, 20);
    Triplets<double> triplets{order, order, Symmetry::general, {}, {}, {}};
    for (Index i = 0; i < order; ++i) {
      row_of_column[col_place[static_cast<std::size_t>(i)]] = row_place[i];
      for (Index j = i / size * size; j < (i / size + 1) * size; ++j) {
        triplets.rows.push_back(row_place[i]);
        triplets.cols.push_back(col_place[j]);
        triplets.values.push_back(std::exp2(exponent(random)) * (random() % 2 == 0 ? 1 : -1));
      }
    }
    matrix = compress(triplets);
  }
};

void expect_covers(const IndependentParts& parts, const PatternView& pattern) {
  std::vector<std::size_t> part_of_row(static_cast<std::size_t>(pattern.num_rows), parts.count());
  std::size_t num_rows = 0;
  std::size_t num_cols = 0;
  for (std::size_t part = 0; part < parts.count(); ++part) {
    num_rows += parts.rows(part).size();
    num_cols += parts.cols(part).size();
    EXPECT_EQ(parts.rows(part).size(), parts.cols(part).size());
    for (std::size_t k = 0; k < parts.rows(part).size(); ++k) {
      const Index row = parts.rows(part)[k];
      part_of_row[row] = part;
      EXPECT_EQ(parts.place(row), static_cast<Index>(k));
    }
  }
  EXPECT_EQ(num_rows, part_of_row.size());
  EXPECT_EQ(num_cols, part_of_row.size());
  for (std::size_t part = 0; part < parts.count(); ++part) {
    for (const Index column : parts.cols(part)) {
      const auto j = static_cast<std::size_t>(column);
      for (Count e = pattern.column_offsets[j]; e < pattern.column_offsets[j + 1]; ++e) {
        EXPECT_EQ(part_of_row[pattern.row_indices[static_cast<std::size_t>(e)]], part);
      }
    }
  }
}

TEST(IndependentParts, HaveNoEntriesBetweenThem) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (const Index size : {1, 3, 8}) {
    const ShuffledBlocks blocks(100000 / size / size, size, random);
    const IndependentParts parts(blocks.matrix.pattern(), blocks.row_of_column);
    EXPECT_GE(parts.count(), 5U);
    expect_covers(parts, blocks.matrix.pattern());
  }
}

TEST(IndependentParts, AreNoneOfWhatHangsTogether) {
  std::mt19937_64 random(1);
  EXPECT_EQ(
      IndependentParts(testing::random_matrix<double>(20000, 6, Symmetry::general, testing::Flavour::dominant, 1).pattern(), {})
          .count(),
      0U);
  EXPECT_EQ(IndependentParts(ShuffledBlocks(20, 8, random).matrix.pattern(), {}).count(), 0U) << "small";
  EXPECT_EQ(IndependentParts(ShuffledBlocks(2, 300, random).matrix.pattern(), {}).count(), 0U) << "two";
}

// The largest entries of every block must be near 1, as for a whole matrix.
TEST(IndependentParts, AreScaledAsMatricesAre) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  const ShuffledBlocks blocks(3000, 5, random);
  const PatternView pattern = blocks.matrix.pattern();
  for (const ScalingKind kind : {ScalingKind::automatic, ScalingKind::equilibrate, ScalingKind::matching}) {
    const Scaling<double> scaling = find_scaling(blocks.matrix.view(), {.kind = kind}, blocks.row_of_column);
    EXPECT_EQ(scaling.kind, kind == ScalingKind::automatic ? ScalingKind::matching : kind);
    std::vector<double> largest_rows(static_cast<std::size_t>(pattern.num_rows), 0);
    for (std::size_t j = 0; j < largest_rows.size(); ++j) {
      double largest = 0;
      for (auto e = static_cast<std::size_t>(pattern.column_offsets[j]);
           e < static_cast<std::size_t>(pattern.column_offsets[j + 1]); ++e) {
        const auto i = static_cast<std::size_t>(pattern.row_indices[e]);
        const double magnitude = std::abs(blocks.matrix.values[e]) * scaling.rows[i] * scaling.cols[j];
        largest = std::max(largest, magnitude);
        largest_rows[i] = std::max(largest_rows[i], magnitude);
      }
      EXPECT_GE(largest, 0.75 / 2);
      EXPECT_LE(largest, 1.25 * 2);
    }
    EXPECT_GE(*std::min_element(largest_rows.begin(), largest_rows.end()), 0.75 / 2);
    EXPECT_LE(*std::max_element(largest_rows.begin(), largest_rows.end()), 1.25 * 2);
  }
}

}  // namespace
}  // namespace frond
