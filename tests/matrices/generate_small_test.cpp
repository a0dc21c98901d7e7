// SPDX-License-Identifier: BSD-3-Clause
// Tests what random model problems promise: orders, full structural rank, the same matrix for the same seed, their structure.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "frond/matrix.hpp"
#include "matrices/generate.hpp"
#include "tests/support/oracles/dense_matrix_oracle.hpp"

namespace frond {
namespace {

SparseMatrix<double> draw(ModelProblem kind, Index n, std::uint64_t seed = 1) {
  return std::get<SparseMatrix<double>>(generate(kind, n, seed));
}

/// Matches columns to rows by augmenting paths, in the textbook way.
class StructuralRank {
 public:
  explicit StructuralRank(const SparseMatrix<double>& matrix)
      : matrix_(matrix), column_of_(static_cast<std::size_t>(matrix.num_rows), -1) {}

  Index count() {
    Index rank = 0;
    for (Index col = 0; col < matrix_.num_cols; ++col) {
      visited_.assign(column_of_.size(), false);
      rank += augment(col) ? 1 : 0;
    }
    return rank;
  }

 private:
  bool augment(Index col) {
    const auto c = static_cast<std::size_t>(col);
    for (auto k = matrix_.column_offsets[c]; k < matrix_.column_offsets[c + 1]; ++k) {
      const auto row = static_cast<std::size_t>(matrix_.row_indices[k]);
      if (matrix_.values[k] != 0 && !visited_[row]) {
        visited_[row] = true;
        if (column_of_[row] < 0 || augment(column_of_[row])) {
          column_of_[row] = col;
          return true;
        }
      }
    }
    return false;
  }

  const SparseMatrix<double>& matrix_;
  std::vector<Index> column_of_;
  std::vector<bool> visited_;
};

/// Takes away rows and columns with a single entry until there is none: what is left is the bump.
Index bump_order(const SparseMatrix<double>& matrix) {
  std::vector<std::vector<Index>> rows_of(static_cast<std::size_t>(matrix.num_cols));
  for (std::size_t col = 0; col < rows_of.size(); ++col) {
    rows_of[col].assign(matrix.row_indices.begin() + matrix.column_offsets[col],
                        matrix.row_indices.begin() + matrix.column_offsets[col + 1]);
  }
  for (bool shrinks = true; shrinks;) {
    shrinks = false;
    std::vector<int> row_counts(static_cast<std::size_t>(matrix.num_rows));
    for (const auto& rows : rows_of) {
      std::for_each(rows.begin(), rows.end(), [&row_counts](Index row) { ++row_counts[row]; });
    }
    for (std::size_t col = 0; col < rows_of.size(); ++col) {
      const std::vector<Index> rows = rows_of[col];
      const bool has_own_row = std::any_of(rows.begin(), rows.end(), [&](Index row) { return row_counts[row] == 1; });
      if (has_own_row) {
        rows_of[col].clear();
        shrinks = true;
      } else if (rows.size() == 1) {
        std::for_each(rows_of.begin(), rows_of.end(), [&rows](std::vector<Index>& others) { std::erase(others, rows[0]); });
        shrinks = true;
      }
      if (shrinks) {
        break;  // counts have changed
      }
    }
  }
  return static_cast<Index>(std::count_if(rows_of.begin(), rows_of.end(), [](const auto& rows) { return !rows.empty(); }));
}

class RandomProblems : public ::testing::TestWithParam<ModelProblem> {};

TEST_P(RandomProblems, have_full_structural_rank_at_every_size) {
  for (const Index n : {model_problem_info(GetParam()).smallest_size, Index{2}, Index{7}, Index{50}, Index{400}}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const SparseMatrix<double> matrix = draw(GetParam(), n, seed);
      EXPECT_EQ(matrix.num_rows, matrix.num_cols);
      EXPECT_EQ(StructuralRank(matrix).count(), matrix.num_cols) << "size " << n << ", seed " << seed;
    }
  }
}

TEST_P(RandomProblems, follow_their_seed) {
  const SparseMatrix<double> first = draw(GetParam(), 200, 7);
  const SparseMatrix<double> again = draw(GetParam(), 200, 7);
  EXPECT_EQ(first.values, again.values);
  EXPECT_EQ(first.row_indices, again.row_indices);
  EXPECT_NE(first.values, draw(GetParam(), 200, 8).values);
}

TEST_P(RandomProblems, have_the_order_of_their_size) {
  const ModelProblem kind = GetParam();
  const Index order = draw(kind, 300).num_rows;
  if (kind == ModelProblem::feeder) {
    EXPECT_EQ(order, 2 * 299);  // every bus but the first has an angle and a magnitude
  } else if (kind == ModelProblem::powergrid) {
    EXPECT_GT(order, 299 + 220);  // generators have no magnitude
    EXPECT_LT(order, 299 + 280);
  } else {
    EXPECT_EQ(order, 300);
  }
}

INSTANTIATE_TEST_SUITE_P(all, RandomProblems,
                         ::testing::Values(ModelProblem::nodal, ModelProblem::feeder, ModelProblem::powergrid,
                                           ModelProblem::basis_network, ModelProblem::basis_stairs, ModelProblem::basis_sparse,
                                           ModelProblem::triangle3, ModelProblem::triangle10, ModelProblem::bidiagonal,
                                           ModelProblem::tridiagonal, ModelProblem::arrow, ModelProblem::random),
                         [](const auto& kind) { return std::string(model_problem_info(kind.param).name); });

TEST(NodalEquations, have_zeros_on_the_diagonal_of_sources_and_widely_spread_conductances) {
  constexpr Index kN = 2000;
  const DenseMatrix<double> dense = to_dense(draw(ModelProblem::nodal, kN).view());
  double least = 1;
  double largest = 0;
  for (Index row = 0; row < kN; ++row) {
    EXPECT_EQ(dense(row, row) == 0.0, row >= kN - kN / 8) << row;
    for (Index col = 0; col < row && row < kN - kN / 8; ++col) {
      const double size = std::abs(dense(row, col));
      least = size > 0 ? std::min(least, size) : least;
      largest = std::max(largest, size);
    }
  }
  EXPECT_GT(largest / least, 1e11);
}

// Active and reactive power of the bus at the end of a line, by its angle and its magnitude.
TEST(PowerFlow, of_a_line_has_the_signs_of_physics) {
  const DenseMatrix<double> dense = to_dense(draw(ModelProblem::feeder, 2).view());
  ASSERT_EQ(dense.num_cols, 2);
  EXPECT_GT(dense(0, 0), 0);
  EXPECT_GT(dense(1, 1), 0);
  EXPECT_LT(dense(1, 0), 0);  // with resistance, a larger angle takes reactive power
  EXPECT_GT(dense(0, 1), 0);
}

// Rows of a lossless power flow add up to nearly nothing by angles, since angles count only as differences.
TEST(PowerFlow, depends_on_differences_of_angles) {
  constexpr Index kBuses = 100;
  const DenseMatrix<double> dense = to_dense(draw(ModelProblem::powergrid, kBuses).view());
  int num_balanced = 0;
  for (Index row = 0; row < dense.num_rows; ++row) {
    double sum = 0;
    double size = 0;
    for (Index angle = 0; angle < kBuses - 1; ++angle) {
      sum += dense(row, angle);
      size += std::abs(dense(row, angle));
    }
    num_balanced += std::abs(sum) < 1e-12 * size ? 1 : 0;
  }
  EXPECT_GT(num_balanced, dense.num_rows * 3 / 4);  // all rows but those of buses next to the slack bus
}

TEST(Bases, have_many_slacks_and_a_small_bump) {
  constexpr Index kN = 400;
  for (const ModelProblem kind : {ModelProblem::basis_network, ModelProblem::basis_stairs, ModelProblem::basis_sparse}) {
    const SparseMatrix<double> matrix = draw(kind, kN);
    Index num_slacks = 0;
    for (std::size_t col = 0; col < static_cast<std::size_t>(kN); ++col) {
      num_slacks += matrix.column_offsets[col + 1] - matrix.column_offsets[col] == 1 ? 1 : 0;
    }
    EXPECT_NEAR(num_slacks, 0.4 * kN, 0.1 * kN);
    EXPECT_LT(bump_order(matrix), kN / 2) << model_problem_info(kind).name;
  }
  EXPECT_GT(bump_order(draw(ModelProblem::basis_stairs, kN)), 5);
}

TEST(Chains, fall_apart_as_triangles_do) {
  for (const ModelProblem kind : {ModelProblem::triangle3, ModelProblem::triangle10, ModelProblem::bidiagonal}) {
    EXPECT_EQ(bump_order(draw(kind, 150)), 0);
  }
  EXPECT_EQ(draw(ModelProblem::triangle3, 100).num_entries(), 3 * 100 - 3);
  EXPECT_EQ(draw(ModelProblem::bidiagonal, 100).num_entries(), 199);
  EXPECT_EQ(draw(ModelProblem::tridiagonal, 100).num_entries(), 298);
  EXPECT_EQ(draw(ModelProblem::arrow, 100).num_entries(), 298);
  EXPECT_EQ(draw(ModelProblem::random, 100).num_entries(), 400);
}

}  // namespace
}  // namespace frond
