// SPDX-License-Identifier: BSD-3-Clause
// Tests structural rank against a brute-force search over all row choices.
#include "analysis/pivots/structural_rank.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace frond {
namespace {

struct Pattern {
  Index num_rows = 0;
  std::vector<Count> offsets = {0};
  std::vector<Index> rows = {};

  [[nodiscard]] Index num_cols() const { return static_cast<Index>(offsets.size()) - 1; }
  [[nodiscard]] PatternView view() const { return {num_rows, num_cols(), Symmetry::general, offsets, rows}; }
  void add_column(const std::vector<Index>& column) {
    rows.insert(rows.end(), column.begin(), column.end());
    offsets.push_back(static_cast<Count>(rows.size()));
  }
};

// Returns the largest number of columns from `column` on that can have rows of their own, by trying everything.
Index brute_force_rank(const Pattern& pattern, Index column, std::vector<bool>& taken) {
  if (column == pattern.num_cols()) {
    return 0;
  }
  Index best = brute_force_rank(pattern, column + 1, taken);
  for (Count entry = pattern.offsets[column]; entry < pattern.offsets[static_cast<std::size_t>(column) + 1]; ++entry) {
    const auto row = static_cast<std::size_t>(pattern.rows[entry]);
    if (!taken[row]) {
      taken[row] = true;
      best = std::max(best, 1 + brute_force_rank(pattern, column + 1, taken));
      taken[row] = false;
    }
  }
  return best;
}

Pattern random_pattern(std::mt19937& random, Index num_rows, Index num_cols, double density) {
  Pattern pattern{num_rows};
  std::bernoulli_distribution held(density);
  for (Index j = 0; j < num_cols; ++j) {
    std::vector<Index> column;
    for (Index i = 0; i < num_rows; ++i) {
      if (held(random)) {
        column.push_back(i);
      }
    }
    pattern.add_column(column);
  }
  return pattern;
}

TEST(StructuralRank, EqualsBruteForceOnSmallRandomPatterns) {
  const unsigned seed = 20250711;
  std::mt19937 random(seed);
  for (int trial = 0; trial < 400; ++trial) {
    const Pattern pattern = random_pattern(random, 7, 7, 0.1 + 0.001 * trial);
    std::vector<bool> taken(7, false);
    EXPECT_EQ(structural_rank(pattern.view()).rank, brute_force_rank(pattern, 0, taken)) << "seed " << seed << ", trial " << trial;
  }
}

TEST(StructuralRank, NamesColumnsWithoutARow) {
  Pattern pattern{3};
  pattern.add_column({1});
  pattern.add_column({});
  pattern.add_column({1});
  const StructuralRank result = structural_rank(pattern.view());
  EXPECT_EQ(result.rank, 1);
  EXPECT_EQ(result.unmatched_columns, (std::vector<Index>{1, 2}));
}

TEST(StructuralRank, FindsAugmentingPathsThroughManyColumns) {
  const Index n = 20000;  // column j holds the rows j and j + 1: the last column must push all others along
  Pattern pattern{n};
  for (Index j = 0; j + 1 < n; ++j) {
    pattern.add_column({j, j + 1});
  }
  pattern.add_column({0});
  EXPECT_EQ(structural_rank(pattern.view()).rank, n);
}

TEST(StructuralRank, ManyColumnsThatShareARowAreSettledQuickly) {
  Pattern pattern{200000};
  for (Index j = 0; j < 200000; ++j) {
    pattern.add_column({0, 1});
  }
  EXPECT_EQ(structural_rank(pattern.view()).rank, 2);
}

TEST(StructuralRank, TakesBothTrianglesWhereOneIsHeld) {
  std::mt19937 random(20250712);
  for (int trial = 0; trial < 200; ++trial) {
    const Pattern whole = random_pattern(random, 7, 7, 0.05 + 0.001 * trial);
    Pattern triangle{7};
    std::vector<std::vector<Index>> columns(7);
    for (Index j = 0; j < 7; ++j) {
      std::vector<Index> lower;
      for (Count k = whole.offsets[j]; k < whole.offsets[static_cast<std::size_t>(j) + 1]; ++k) {
        const Index i = whole.rows[k];
        if (i >= j) {
          lower.push_back(i);
          columns[j].push_back(i);
          if (i > j) {
            columns[i].push_back(j);
          }
        }
      }
      triangle.add_column(lower);
    }
    Pattern mirrored{7};
    std::for_each(columns.begin(), columns.end(), [&](const std::vector<Index>& column) { mirrored.add_column(column); });
    std::vector<bool> taken(7, false);
    PatternView view = triangle.view();
    view.symmetry = Symmetry::symmetric;
    EXPECT_EQ(structural_rank(view).rank, brute_force_rank(mirrored, 0, taken)) << "trial " << trial;
  }
}

TEST(StructuralRank, EmptyMatrixHasRankZero) { EXPECT_EQ(structural_rank(Pattern{}.view()).rank, 0); }

}  // namespace
}  // namespace frond
