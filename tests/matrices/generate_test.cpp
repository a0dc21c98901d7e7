// SPDX-License-Identifier: BSD-3-Clause
// Tests orders, entry counts and values of the model problems.
#include "matrices/generate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/oracles/dense_matrix_oracle.hpp"

namespace frond {
namespace {

using Complex = std::complex<double>;

SparseMatrix<double> generate_real(ModelProblem kind, Index n, std::uint64_t seed = 1) {
  return std::get<SparseMatrix<double>>(generate(kind, n, seed));
}

struct Expected {
  ModelProblem kind;
  Index n;
  Index order;
  Count num_entries;
  Symmetry symmetry;
};

class ModelProblemSizes : public ::testing::TestWithParam<Expected> {};

TEST_P(ModelProblemSizes, are_met) {
  const auto& [kind, n, order, num_entries, symmetry] = GetParam();
  std::visit(
      [&, order = order, num_entries = num_entries, symmetry = symmetry](const auto& matrix) {
        EXPECT_EQ(matrix.num_rows, order);
        EXPECT_EQ(matrix.num_cols, order);
        EXPECT_EQ(matrix.num_entries(), num_entries);
        EXPECT_EQ(matrix.symmetry, symmetry);
      },
      generate(kind, n, 1));
}

INSTANTIATE_TEST_SUITE_P(published, ModelProblemSizes,
                         ::testing::Values(Expected{ModelProblem::laplacian2d9, 1000, 1000000, 4994002, Symmetry::symmetric},
                                           Expected{ModelProblem::laplacian3d7, 60, 216000, 853200, Symmetry::symmetric},
                                           Expected{ModelProblem::laplacian3d7, 80, 512000, 2028800, Symmetry::symmetric},
                                           Expected{ModelProblem::laplacian3d27, 50, 125000, 1683396, Symmetry::symmetric},
                                           Expected{ModelProblem::elasticity3d, 32, 95232, 3665958, Symmetry::symmetric},
                                           Expected{ModelProblem::convection3d, 50, 125000, 860000, Symmetry::general},
                                           Expected{ModelProblem::kkt3d, 28, 87808, 385728, Symmetry::symmetric},
                                           Expected{ModelProblem::helmholtz3d, 45, 91125, 358425, Symmetry::symmetric},
                                           Expected{ModelProblem::ultrasound3, 28, 185193, 11390625, Symmetry::general},
                                           Expected{ModelProblem::conv3d64, 65, 836550, 12548250, Symmetry::general}));

INSTANTIATE_TEST_SUITE_P(smallest, ModelProblemSizes,
                         ::testing::Values(Expected{ModelProblem::laplacian2d5, 1, 1, 1, Symmetry::symmetric},
                                           Expected{ModelProblem::elasticity3d, 2, 12, 78, Symmetry::symmetric},
                                           Expected{ModelProblem::kkt3d, 1, 4, 6, Symmetry::symmetric},
                                           Expected{ModelProblem::helmholtz3d, 1, 1, 1, Symmetry::symmetric},
                                           Expected{ModelProblem::ultrasound80, 1, 27, 729, Symmetry::general},
                                           Expected{ModelProblem::conv3d64, 2, 36, 540, Symmetry::general}));

/// Couplings of a line of quadratic elements: 3 at the ends, 3 at inner nodes of an element, 5 at nodes shared by two elements.
Count line_couplings(Count num_elements) { return 3 * (2 + num_elements) + 5 * (num_elements - 1); }

TEST(Ultrasound, is_the_tensor_product_of_three_lines) {
  for (const Index n : {1, 2, 5}) {
    const Count line = line_couplings(n);
    EXPECT_EQ(generate_real(ModelProblem::ultrasound80, n).num_entries(), line * line * line);
  }
  EXPECT_EQ(line_couplings(28), 225);
  EXPECT_EQ(line_couplings(40), 321);
  EXPECT_EQ(line_couplings(40) * line_couplings(40) * line_couplings(40), 33076161);
}

TEST(Ultrasound, applied_to_constants_leaves_the_reaction) {
  const SparseMatrix<double> matrix = generate_real(ModelProblem::ultrasound3, 3);
  const std::vector<double> ones(static_cast<std::size_t>(matrix.num_cols), 1.0);
  std::vector<double> row_sums(ones.size());
  multiply<double>(matrix.view(), Operation::plain, ones, row_sums);
  EXPECT_NEAR(std::accumulate(row_sums.begin(), row_sums.end(), 0.0), 50.0, 1e-12);  // reaction times the volume of the unit cube
}

TEST(Ultrasound, values_are_unsymmetric) {
  const SparseMatrix<double> matrix = generate_real(ModelProblem::ultrasound3, 2);
  EXPECT_EQ(transpose(matrix.view()).row_indices, matrix.row_indices);
  EXPECT_NE(transpose(matrix.view()).values, matrix.values);
}

TEST(Laplacian, five_points_on_a_three_by_three_grid) {
  const DenseMatrix<double> dense = to_dense(generate_real(ModelProblem::laplacian2d5, 3).view());
  EXPECT_THAT(dense.column(4), ::testing::ElementsAre(0, -1, 0, -1, 4, -1, 0, -1, 0));
  EXPECT_THAT(dense.column(0), ::testing::ElementsAre(4, -1, 0, -1, 0, 0, 0, 0, 0));
}

TEST(Laplacian, inner_points_have_row_sum_zero) {
  for (const ModelProblem kind : {ModelProblem::laplacian2d9, ModelProblem::laplacian3d7, ModelProblem::laplacian3d27}) {
    const DenseMatrix<double> dense = to_dense(generate_real(kind, 3).view());
    const auto middle = dense.column(dense.num_cols / 2);
    EXPECT_EQ(std::accumulate(middle.begin(), middle.end(), 0.0), 0.0);
    EXPECT_GT(std::accumulate(dense.column(0).begin(), dense.column(0).end(), 0.0), 0.0);
  }
}

TEST(Elasticity, rigid_motions_away_from_the_clamped_face_need_no_force) {
  constexpr Index kN = 4;
  const SparseMatrix<double> matrix = generate_real(ModelProblem::elasticity3d, kN);
  std::vector<std::vector<double>> motions(4, std::vector<double>(static_cast<std::size_t>(matrix.num_cols)));
  for (Index node = 0; node < matrix.num_cols / 3; ++node) {
    const std::size_t u = 3 * static_cast<std::size_t>(node);
    motions[0][u] = motions[1][u + 1] = motions[2][u + 2] = 1.0;  // translations
    motions[3][u] = -static_cast<double>(node / kN % kN);         // rotation about z: (-y, x, 0)
    motions[3][u + 1] = static_cast<double>(node % kN);
  }
  for (const std::vector<double>& motion : motions) {
    std::vector<double> force(motion.size());
    multiply<double>(matrix.view(), Operation::plain, motion, force);
    constexpr std::size_t kFirstFree = std::size_t{3} * kN * kN;  // the layer next to the clamped one feels its forces
    EXPECT_GT(std::abs(*std::max_element(force.begin(), force.begin() + kFirstFree)), 0.01);
    for (std::size_t i = kFirstFree; i < force.size(); ++i) {
      EXPECT_NEAR(force[i], 0.0, 1e-13);
    }
  }
}

TEST(Convection, upwind_neighbours_are_stronger_and_rows_balance) {
  constexpr Index kN = 3;
  const DenseMatrix<double> dense = to_dense(generate_real(ModelProblem::convection3d, kN).view());
  const Index centre = 13;  // wind (0, 0, 20) in the middle of the cube
  EXPECT_DOUBLE_EQ(dense(centre, centre), 6.0 + 0.25 * 20.0);
  EXPECT_DOUBLE_EQ(dense(centre, centre - 9), -1.0 - 0.25 * 20.0);
  EXPECT_DOUBLE_EQ(dense(centre, centre + 9), -1.0);
  const Index low_y = 10;  // y = 1/4: wind (10, 0, 20)
  EXPECT_DOUBLE_EQ(dense(low_y, low_y), 6.0 + 0.25 * 30.0);
  EXPECT_DOUBLE_EQ(dense(low_y, low_y - 1), -1.0 - 0.25 * 10.0);
  EXPECT_DOUBLE_EQ(dense(low_y, low_y + 1), -1.0);
  const Index low_x = 12;  // x = 1/4: wind (0, -10, 20)
  EXPECT_DOUBLE_EQ(dense(low_x, low_x + 3), -1.0 - 0.25 * 10.0);
}

TEST(Kkt, couples_three_laplacians_by_differences) {
  constexpr Index kN = 2;
  constexpr Index kPoints = 8;
  const DenseMatrix<double> dense = to_dense(generate_real(ModelProblem::kkt3d, kN).view());
  const DenseMatrix<double> laplacian = to_dense(generate_real(ModelProblem::laplacian3d7, kN).view());
  const Index strides[] = {1, kN, kN * kN};
  for (Index axis = 0; axis < 3; ++axis) {
    for (Index i = 0; i < kPoints; ++i) {
      for (Index j = 0; j < kPoints; ++j) {
        EXPECT_EQ(dense(axis * kPoints + i, axis * kPoints + j), laplacian(i, j));
        const bool is_predecessor = i / strides[axis] % kN > 0 && j == i - strides[axis];
        EXPECT_EQ(dense(3 * kPoints + i, axis * kPoints + j), i == j ? 1.0 : (is_predecessor ? -1.0 : 0.0));
        EXPECT_EQ(dense(3 * kPoints + i, 3 * kPoints + j), 0.0);
      }
    }
  }
}

TEST(Helmholtz, absorbs_in_the_outer_layers) {
  constexpr Index kN = 7;  // layers of two points
  const auto matrix = std::get<SparseMatrix<Complex>>(generate(ModelProblem::helmholtz3d, kN, 1));
  const DenseMatrix<Complex> dense = to_dense(matrix.view());
  const auto diagonal = [&](Index x) { return dense(x + kN * (3 + kN * 3), x + kN * (3 + kN * 3)); };
  EXPECT_EQ(diagonal(0), Complex(6.0 - 0.39478, 0.39478 * (0.02 + 2.0)));
  EXPECT_EQ(diagonal(1), Complex(6.0 - 0.39478, 0.39478 * (0.02 + 0.5)));
  EXPECT_EQ(diagonal(2), Complex(6.0 - 0.39478, 0.39478 * 0.02));
  EXPECT_EQ(diagonal(6), diagonal(0));
  EXPECT_EQ(dense(1, 0), Complex(-1.0, 0.0));
}

TEST(Conv3d64, has_fifteen_distinct_columns_in_every_row) {
  const SparseMatrix<double> by_rows = transpose(generate_real(ModelProblem::conv3d64, 4).view());
  for (std::size_t i = 0; i < static_cast<std::size_t>(by_rows.num_cols); ++i) {
    EXPECT_EQ(by_rows.column_offsets[i + 1] - by_rows.column_offsets[i], 15);
  }
}

TEST(Conv3d64, couples_a_face_to_four_faces_of_the_other_components) {
  constexpr Index kN = 4;
  constexpr Index kFaces = kN * kN * (kN + 1);
  const SparseMatrix<double> by_rows = transpose(generate_real(ModelProblem::conv3d64, kN).view());
  const auto face = [](Index x, Index y, Index z) { return x + (kN + 1) * (y + kN * z); };  // normal to x
  const auto row = static_cast<std::size_t>(face(2, 2, 2));
  const std::set<Index> cols(by_rows.row_indices.begin() + by_rows.column_offsets[row],
                             by_rows.row_indices.begin() + by_rows.column_offsets[row + 1]);
  std::set<Index> expected;
  for (const Index d : {-1, 0, 1}) {
    expected.insert({face(2 + d, 2, 2), face(2, 2 + d, 2), face(2, 2, 2 + d)});
  }
  for (const Index x : {1, 2}) {
    for (const Index step : {0, 1}) {
      expected.insert(kFaces + x + kN * (2 + step + (kN + 1) * 2));  // normal to y
      expected.insert(2 * kFaces + x + kN * (2 + kN * (2 + step)));  // normal to z
    }
  }
  EXPECT_EQ(cols, expected);
}

TEST(Conv3d64, replaces_entries_outside_by_zeros) {
  const SparseMatrix<double> matrix = generate_real(ModelProblem::conv3d64, 4);
  // Missing neighbours per component: 2 n^2 normal to its faces, 4 n (n+1) along them, and 4 couplings on each of 2 n^2 boundary
  // faces.
  EXPECT_EQ(std::count(matrix.values.begin(), matrix.values.end(), 0.0), 3 * (2 * 16 + 4 * 20 + 4 * 2 * 16));
}

TEST(Circuit, has_the_published_statistics) {
  constexpr Index kN = 300000;
  const SparseMatrix<double> matrix = generate_real(ModelProblem::circuit, kN);
  EXPECT_NEAR(static_cast<double>(matrix.num_entries()), 1.14e6, 0.01e6);
  const SparseMatrix<double> by_rows = transpose(matrix.view());
  std::vector<Count> row_lengths(static_cast<std::size_t>(kN));
  std::adjacent_difference(by_rows.column_offsets.begin() + 1, by_rows.column_offsets.end(), row_lengths.begin());
  EXPECT_EQ(std::count_if(row_lengths.begin(), row_lengths.end(), [](Count length) { return length > kN / 25; }), 4);
}

TEST(Circuit, sources_have_no_diagonal_and_a_pair_of_ones) {
  constexpr Index kN = 1000;
  const DenseMatrix<double> dense = to_dense(generate_real(ModelProblem::circuit, kN).view());
  Index num_pure_pairs = 0;  // about one pair in twenty coincides with a link
  for (Index node = 0; node + 1 < kN; ++node) {
    const bool is_source = node % 50 == 49;
    EXPECT_EQ(dense(node, node) == 0.0, is_source);
    num_pure_pairs += is_source && dense(node, node + 1) == 1.0 && dense(node + 1, node) == -1.0 ? 1 : 0;
  }
  EXPECT_GE(num_pure_pairs, 15);
  EXPECT_LE(num_pure_pairs, 19);
}

TEST(Circuit, follows_its_seed) {
  const SparseMatrix<double> first = generate_real(ModelProblem::circuit, 1000, 7);
  EXPECT_EQ(first.values, generate_real(ModelProblem::circuit, 1000, 7).values);
  EXPECT_NE(first.values, generate_real(ModelProblem::circuit, 1000, 8).values);
}

TEST(ModelProblems, names_are_found_again) {
  for (const ModelProblemInfo& info : model_problems()) {
    EXPECT_EQ(parse_model_problem(info.name), info.kind);
    EXPECT_EQ(&model_problem_info(info.kind), &info);
    EXPECT_FALSE(info.description.empty());
  }
  EXPECT_EQ(model_problems().size(), 24U);
}

TEST(ModelProblems, unknown_names_and_sizes_are_refused) {
  testing::expect_error<UsageError>("there is no model problem 'laplace'; choose one of laplacian2d5, laplacian2d9",
                                    [] { (void)parse_model_problem("laplace"); });
  for (const ModelProblemInfo& info : model_problems()) {
    testing::expect_error<UsageError>("it must lie between " + std::to_string(info.smallest_size),
                                      [&] { (void)generate(info.kind, info.smallest_size - 1, 1); });
    if (info.largest_size < 2147483647) {
      EXPECT_THROW(static_cast<void>(generate(info.kind, info.largest_size + 1, 1)), UsageError);
    }
  }
}

}  // namespace
}  // namespace frond
