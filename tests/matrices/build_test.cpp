// SPDX-License-Identifier: BSD-3-Clause
// Tests building matrices from triplets, expanding and transposing them.
#include "frond/matrix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <random>
#include <utility>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/random_matrix.hpp"
#include "tests/support/oracles/dense_matrix_oracle.hpp"

namespace frond {
namespace {

using ::testing::ElementsAre;

template <class S>
class Build : public ::testing::Test {};
using AllScalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Build, AllScalars);

template <class S>
DenseMatrix<S> dense_sum(const Triplets<S>& triplets) {
  DenseMatrix<S> dense(triplets.num_rows, triplets.num_cols);
  for (std::size_t k = 0; k < triplets.rows.size(); ++k) {
    dense(triplets.rows[k], triplets.cols[k]) += triplets.values[k];
  }
  return dense;
}

/// Expects that rows increase strictly in every column, and that the offsets span all entries.
template <class S>
void expect_canonical(const SparseMatrix<S>& matrix) {
  ASSERT_EQ(matrix.column_offsets.size(), static_cast<std::size_t>(matrix.num_cols) + 1);
  EXPECT_EQ(matrix.column_offsets.front(), 0);
  EXPECT_EQ(matrix.column_offsets.back(), matrix.num_entries());
  EXPECT_EQ(matrix.values.size(), matrix.row_indices.size());
  for (std::size_t j = 0; j < static_cast<std::size_t>(matrix.num_cols); ++j) {
    for (Count k = matrix.column_offsets[j] + 1; k < matrix.column_offsets[j + 1]; ++k) {
      EXPECT_LT(matrix.row_indices[static_cast<std::size_t>(k) - 1], matrix.row_indices[k]);
    }
  }
}

TYPED_TEST(Build, compress_sorts_and_sums_duplicates_in_order) {
  std::mt19937 random(1);
  const Triplets<TypeParam> triplets = random_triplets<TypeParam>(7, 5, 60, Symmetry::general, random);
  const SparseMatrix<TypeParam> matrix = compress(triplets);
  expect_canonical(matrix);
  EXPECT_LT(matrix.num_entries(), 60);
  EXPECT_EQ(to_dense(matrix.view()).values, dense_sum(triplets).values);
}

TYPED_TEST(Build, expand_holds_both_triangles) {
  std::mt19937 random(2);
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::skew_symmetric, Symmetry::hermitian}) {
    const SparseMatrix<TypeParam> matrix = compress(random_triplets<TypeParam>(9, 9, 30, symmetry, random));
    const SparseMatrix<TypeParam> expanded = expand_to_general(matrix.view());
    expect_canonical(expanded);
    EXPECT_EQ(expanded.symmetry, Symmetry::general);
    EXPECT_EQ(to_dense(expanded.view()).values, to_dense(matrix.view()).values);
  }
}

TYPED_TEST(Build, expand_takes_entries_of_mixed_triangles) {
  const std::vector<Count> column_offsets = {0, 1, 3};
  const std::vector<Index> row_indices = {0, 1, 0};
  const std::vector<TypeParam> values = {TypeParam(4), TypeParam(6), TypeParam(1)};
  const MatrixView<TypeParam> matrix{{2, 2, Symmetry::symmetric, column_offsets, row_indices}, values};
  const SparseMatrix<TypeParam> expanded = expand_to_general(matrix);
  EXPECT_EQ(to_dense(expanded.view()).values, (std::vector<TypeParam>{4, 1, 1, 6}));
}

TYPED_TEST(Build, transpose_exchanges_rows_and_columns) {
  std::mt19937 random(3);
  const SparseMatrix<TypeParam> matrix = compress(random_triplets<TypeParam>(6, 11, 40, Symmetry::general, random));
  const SparseMatrix<TypeParam> transposed = transpose(matrix.view());
  expect_canonical(transposed);
  EXPECT_EQ(to_dense(transposed.view()).values, dense_operation(Operation::transposed, to_dense(matrix.view())).values);
}

TEST(BuildSmall, compress_follows_the_worked_example) {
  Triplets<double> triplets{3, 3, Symmetry::symmetric, {2, 0, 1, 2, 0}, {0, 0, 1, 2, 0}, {1, 1, 5, 6, 3}};
  const SparseMatrix<double> matrix = compress(std::move(triplets));
  EXPECT_THAT(matrix.column_offsets, ElementsAre(0, 2, 3, 4));
  EXPECT_THAT(matrix.row_indices, ElementsAre(0, 2, 1, 2));
  EXPECT_THAT(matrix.values, ElementsAre(4, 1, 5, 6));
}

TEST(BuildSmall, compress_takes_sorted_triplets_over) {
  Triplets<double> triplets{2, 2, Symmetry::general, {0, 1, 1}, {0, 0, 1}, {1, 2, 3}};
  const double* const values = triplets.values.data();
  const SparseMatrix<double> matrix = compress(std::move(triplets));
  EXPECT_EQ(matrix.values.data(), values);
  EXPECT_THAT(matrix.column_offsets, ElementsAre(0, 2, 3));
}

TEST(BuildSmall, empty_matrices_are_matrices) {
  EXPECT_THAT(compress(Triplets<double>{}).column_offsets, ElementsAre(0));
  EXPECT_THAT(compress(Triplets<double>{3, 2, Symmetry::general, {}, {}, {}}).column_offsets, ElementsAre(0, 0, 0));
  EXPECT_EQ(transpose(compress(Triplets<double>{0, 4, Symmetry::general, {}, {}, {}}).view()).num_rows, 4);
}

TEST(BuildSmall, entries_outside_are_refused) {
  const auto expect_refused = [](const std::string& cause, const Triplets<double>& triplets) {
    testing::expect_error<UsageError>(cause, [&] { (void)compress(triplets); });
  };
  expect_refused("entry 1 at (2, 1) lies outside the 2 by 2 matrix", {2, 2, Symmetry::general, {0, 2}, {0, 1}, {1, 1}});
  expect_refused("entry 0 at (0, -1)", {2, 2, Symmetry::general, {0}, {-1}, {1}});
  expect_refused("does not belong to the triangle", {2, 2, Symmetry::symmetric, {0}, {1}, {1}});
  expect_refused("does not belong to the triangle", {2, 2, Symmetry::skew_symmetric, {1}, {1}, {1}});
  expect_refused("is square, this one is 2 by 3", {2, 3, Symmetry::symmetric, {}, {}, {}});
  expect_refused("have 1 rows, 2 columns and 1 values", {2, 2, Symmetry::general, {0}, {0, 1}, {1}});
}

TEST(BuildSmall, only_general_matrices_are_transposed) {
  const SparseMatrix<double> matrix = compress(Triplets<double>{1, 1, Symmetry::symmetric, {0}, {0}, {1}});
  EXPECT_THROW(static_cast<void>(transpose(matrix.view())), UsageError);
}

}  // namespace
}  // namespace frond
