// SPDX-License-Identifier: BSD-3-Clause
// Tests scales: their effect on rows and columns, and the kind that is chosen.
#include "solver/numerics/scaling/scaling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "frond/matrix.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

using testing::Flavour;
using testing::from_triplets;

template <class R>
bool is_power_of_two(R scale) {
  int exponent = 0;
  return std::frexp(scale, &exponent) == R(0.5);
}

// Returns the largest magnitude in row i of D_r A D_c.
template <Scalar S>
double row_maximum(const DenseMatrix<S>& a, const Scaling<RealOf<S>>& scaling, Index i) {
  double largest = 0;
  for (Index j = 0; j < a.num_cols; ++j) {
    const double scale = static_cast<double>(scaling.rows[i]) * scaling.cols[j];
    largest = std::max(largest, static_cast<double>(std::abs(a(i, j))) * scale);
  }
  return largest;
}

TEST(Scaling, BringsRowsAndColumnsNearOneByPowersOfTwo) {
  const auto matrix = testing::random_matrix<double>(60, 4, Symmetry::general, Flavour::graded, 1);
  const auto scaling = find_scaling(matrix.view(), {});
  EXPECT_TRUE(std::all_of(scaling.rows.begin(), scaling.rows.end(), is_power_of_two<double>));
  EXPECT_TRUE(std::all_of(scaling.cols.begin(), scaling.cols.end(), is_power_of_two<double>));
  const auto a = testing::dense(matrix);
  const auto transposed = testing::dense(matrix, Operation::transposed);
  const Scaling<double> swapped{scaling.cols, scaling.rows};
  for (Index i = 0; i < 60; ++i) {
    // within 1 +- 0.25, then both scales are rounded by at most sqrt(2) each
    EXPECT_GE(row_maximum(a, scaling, i), 0.75 / 2);
    EXPECT_LE(row_maximum(a, scaling, i), 1.25 * 2);
    EXPECT_GE(row_maximum(transposed, swapped, i), 0.75 / 2);
    EXPECT_LE(row_maximum(transposed, swapped, i), 1.25 * 2);
  }
}

// Scales belong to one matrix; passing another one shows here which scales are recomputed.
TEST(Scaling, IsFoundOnceForAKind) {
  const auto matrix = testing::random_matrix<double>(60, 4, Symmetry::general, Flavour::graded, 1);
  const auto other = testing::random_matrix<double>(60, 4, Symmetry::general, Flavour::graded, 2);
  FoundScales scales;
  const std::vector<double> rows = find_scaling(matrix.view(), {}).rows;
  EXPECT_EQ(scales.of_kind(matrix.view(), {}).rows, rows);
  EXPECT_EQ(scales.of_kind(other.view(), {}).rows, rows) << "of the same kind";
  EXPECT_TRUE(scales.of_kind(matrix.view(), {.kind = ScalingKind::none}).rows.empty());
  scales = {};
  EXPECT_EQ(scales.of_kind(other.view(), {}).rows, find_scaling(other.view(), {}).rows);
}

TEST(Scaling, KeepsSymmetry) {
  const auto matrix = testing::random_matrix<std::complex<double>>(60, 4, Symmetry::hermitian, Flavour::graded, 2);
  const auto scaling = find_scaling(matrix.view(), {});
  ASSERT_FALSE(scaling.rows.empty());
  EXPECT_EQ(scaling.rows, scaling.cols);
}

TEST(Scaling, KeepsTheDiagonalOfASaddlePointLarge) {
  // [1e-8 . 1e4; . 1e-2 1e4; 1e4 1e4 .], lower triangle
  const auto matrix = from_triplets<double>(3, Symmetry::symmetric, {0, 2, 1, 2}, {0, 0, 1, 1}, {1e-8, 1e4, 1e-2, 1e4});
  const auto scaling = find_scaling(matrix.view(), {});
  ASSERT_EQ(scaling.rows.size(), 3u);
  EXPECT_NEAR(std::log2(1e-8 * scaling.rows[0] * scaling.rows[0]), 0, 1);
  EXPECT_NEAR(std::log2(1e-2 * scaling.rows[1] * scaling.rows[1]), 0, 1);
  EXPECT_NEAR(std::log2(1e4 * scaling.rows[0] * scaling.rows[2]), 0, 1);
}

// The last two rows both have an entry 1e4 in the column of 1e-20, and each has a 1e4 in a column with a diagonal of 1e-2: if 1e-20
// was scaled to 1, elimination would lose the difference of these rows.
TEST(Scaling, MatchesASaddlePointWhoseDiagonalWouldHideEntries) {
  const auto matrix = from_triplets<double>(5, Symmetry::symmetric, {0, 3, 4, 1, 3, 2, 4}, {0, 0, 0, 1, 1, 2, 2},
                                            {1e-20, 1e4, 1e4, 1e-2, 1e4, 1e-2, 1e4});
  const auto scaling = find_scaling(matrix.view(), {});
  ASSERT_EQ(scaling.rows.size(), 5U);
  EXPECT_EQ(scaling.kind, ScalingKind::matching);
  EXPECT_GE(1e4 * scaling.rows[1] * scaling.rows[3], 0.1);
  EXPECT_GE(1e4 * scaling.rows[2] * scaling.rows[4], 0.1);
  EXPECT_LE(1e-20 * scaling.rows[0] * scaling.rows[0], 0.1);
}

// A single row with such entries loses nothing: what its other entry adds to 1e28 is below the rounding of that number.
TEST(Scaling, KeepsADiagonalWhoseFaintEntriesDoNotMatter) {
  const auto matrix = from_triplets<double>(3, Symmetry::symmetric, {0, 2, 1, 2}, {0, 0, 1, 1}, {1e-20, 1e4, 1e-2, 1e4});
  EXPECT_EQ(find_scaling(matrix.view(), {}).kind, ScalingKind::equilibrate);
  const auto definite = from_triplets<double>(2, Symmetry::symmetric, {0, 1, 1}, {0, 0, 1}, {1, 1e-9, 1});
  EXPECT_NE(find_scaling(definite.view(), {}).kind, ScalingKind::matching);
}

// As where contributions to a general saddle point matrix cancel but for their rounding errors.
TEST(Scaling, DoesNotFollowRoundingErrorsAmongTheEntries) {
  constexpr Index kOrder = 40;
  constexpr std::uint64_t kSeeds = 5;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto matrix = testing::random_matrix<double>(kOrder, 4, Symmetry::general, Flavour::zero_diagonal, seed);
    Triplets<double> entries{.num_rows = kOrder, .num_cols = kOrder};
    for (Index j = 0; j < kOrder; ++j) {
      for (Count k = matrix.column_offsets[j]; k < matrix.column_offsets[j + 1]; ++k) {
        entries.add(matrix.row_indices[k], j, matrix.values[k]);
      }
      entries.add((7 * j + 3) % kOrder, j, 1e-19);
      entries.add((11 * j + 5) % kOrder, j, 3e-18);
    }
    const auto with_errors = compress(std::move(entries));
    const ScalingOptions options{.kind = ScalingKind::equilibrate};
    const auto scaling = find_scaling(matrix.view(), options);
    const auto other = find_scaling(with_errors.view(), options);
    EXPECT_EQ(other.rows, scaling.rows) << "seed " << seed;
    EXPECT_EQ(other.cols, scaling.cols) << "seed " << seed;
  }
}

TEST(Scaling, LeavesRowsAndColumnsOfZerosAlone) {
  const auto matrix = from_triplets<double>(3, Symmetry::general, {0, 1, 1}, {0, 0, 2}, {64, 0, 0});
  const auto scaling = find_scaling(matrix.view(), {});
  EXPECT_EQ(scaling.rows[0] * scaling.cols[0], 1.0 / 64);
  EXPECT_EQ(scaling.rows, (std::vector<double>{scaling.rows[0], 1, 1}));
  EXPECT_EQ(scaling.cols, (std::vector<double>{scaling.cols[0], 1, 1}));
}

TEST(Scaling, SurvivesExtremeMagnitudes) {
  const auto matrix = from_triplets<double>(3, Symmetry::general, {0, 1, 2, 2}, {0, 1, 1, 2}, {1e300, 1e-300, 5e-324, 1.7e308});
  const auto scaling = find_scaling(matrix.view(), {});
  ASSERT_EQ(scaling.rows.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(is_power_of_two(scaling.rows[i]));
    EXPECT_TRUE(is_power_of_two(scaling.cols[i]));
  }
  EXPECT_NEAR(std::log2(1e300 * scaling.rows[0] * scaling.cols[0]), 0, 1.5);
  EXPECT_NEAR(std::log2(1e-300 * scaling.rows[1] * scaling.cols[1]), 0, 1.5);
}

TEST(Scaling, StaysWithinTheRangeOfFloat) {
  const auto matrix = from_triplets<float>(2, Symmetry::symmetric, {0, 1}, {0, 1}, {1e38f, 1e-44f});
  const auto scaling = find_scaling(matrix.view(), {});
  ASSERT_EQ(scaling.rows.size(), 2u);
  EXPECT_TRUE(std::isfinite(scaling.rows[1]) && scaling.rows[0] > 0);
}

TEST(Scaling, GivesNothingWhenThereIsNothingToDo) {
  const auto balanced = from_triplets<double>(2, Symmetry::symmetric, {0, 1}, {0, 1}, {1, -1});
  EXPECT_TRUE(find_scaling(balanced.view(), {}).rows.empty());
  const auto graded = testing::random_matrix<double>(20, 4, Symmetry::general, Flavour::graded, 1);
  EXPECT_TRUE(find_scaling(graded.view(), {.kind = ScalingKind::none}).rows.empty());
}

}  // namespace
}  // namespace frond
