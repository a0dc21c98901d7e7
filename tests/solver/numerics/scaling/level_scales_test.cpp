// SPDX-License-Identifier: BSD-3-Clause
// Tests scales of block triangular forms: levels are scaled as without their couplings, and couplings stay below 1.
#include "solver/numerics/scaling/level_scales.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "frond/matrix.hpp"
#include "solver/numerics/scaling/scaling.hpp"
#include "tests/support/matrices/reducible_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

struct LevelledMatrix {
  SparseMatrix<double> matrix;
  BlockTriangularForm blocks;

  // Makes couplings 2^-span to 2^span times larger.
  LevelledMatrix(double span, testing::Shuffle shuffle, std::uint64_t seed)
      : matrix(testing::reducible_matrix<double>({20, 7, 1, 13, 20, 1, 9, 1, 1}, 3, shuffle, seed)),
        blocks(find_block_triangular_form(matrix.pattern(), Use::always)) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> exponent(-span, span);
    for_each([&](std::size_t row, std::size_t column, double& value) {
      value *= is_coupling(row, column) ? std::exp2(exponent(random)) : std::exp2(exponent(random) / span * 20);
    });
  }

  [[nodiscard]] bool is_coupling(std::size_t row, std::size_t column) const {
    return blocks.level_of_row[row] != blocks.level_of_column[column];
  }

  template <class Visit>
  void for_each(Visit visit) {
    testing::for_each_entry(matrix, [&visit](Index row, Index column, double& value) {
      visit(static_cast<std::size_t>(row), static_cast<std::size_t>(column), value);
    });
  }

  // Returns the matrix without its couplings.
  [[nodiscard]] SparseMatrix<double> levels() {
    Triplets<double> entries{matrix.num_rows, matrix.num_cols, Symmetry::general};
    for_each([&](std::size_t row, std::size_t column, double value) {
      if (!is_coupling(row, column)) {
        entries.add(static_cast<Index>(row), static_cast<Index>(column), value);
      }
    });
    return compress(std::move(entries));
  }
};

TEST(LevelScales, AreThoseOfTheLevelsAlone) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(seed);
  for (const testing::Shuffle shuffle : {testing::Shuffle::none, testing::Shuffle::alike, testing::Shuffle::apart}) {
    for (const double span : {1.0, 60.0}) {
      LevelledMatrix levelled(span, shuffle, seed);
      ASSERT_TRUE(levelled.blocks.splits());
      for (const ScalingKind kind : {ScalingKind::automatic, ScalingKind::equilibrate, ScalingKind::matching}) {
        const ScalingOptions options{.kind = kind};
        const Scaling<double> scaling = find_scaling(levelled.matrix.view(), options, {}, levelled.blocks);
        const Scaling<double> expected = find_scaling(levelled.levels().view(), options);
        EXPECT_EQ(scaling.kind, expected.kind);
        levelled.for_each([&](std::size_t row, std::size_t column, double value) {
          const double scale = scaling.rows[row] * scaling.cols[column];
          if (levelled.is_coupling(row, column)) {
            EXPECT_LE(std::abs(value) * scale, 2) << "but for rounding to powers of 2";
          } else {
            EXPECT_EQ(scale, expected.rows[row] * expected.cols[column]);
          }
        });
      }
    }
  }
}

// The sum of the shifts that these couplings need is outside the range of double precision.
TEST(LevelScales, StayWithinTheirRange) {
  LevelledMatrix levelled(900, testing::Shuffle::apart, 5);
  const Scaling<double> scaling = find_scaling(levelled.matrix.view(), {}, {}, levelled.blocks);
  for (const std::vector<double>& scales : {scaling.rows, scaling.cols}) {
    EXPECT_TRUE(std::all_of(scales.begin(), scales.end(), [](double scale) { return std::isnormal(scale) && scale > 0; }));
  }
}

TEST(LevelScales, MoveNothingThatNeedNotMove) {
  LevelledMatrix levelled(1, testing::Shuffle::none, 6);
  LogMatrix logs = log_magnitudes(levelled.matrix.view());
  std::size_t entry = 0;
  levelled.for_each([&](std::size_t row, std::size_t column, double /*value*/) {
    logs.logs[entry++] = levelled.is_coupling(row, column) ? -kLogOfTwo : 5 * kLogOfTwo;
  });
  LogScales scales = unit_scales(logs.pattern);
  shift_levels(logs, levelled.blocks, scales);
  EXPECT_EQ(scales.rows, unit_scales(logs.pattern).rows);
  EXPECT_EQ(scales.cols, unit_scales(logs.pattern).cols);
}

}  // namespace
}  // namespace frond
