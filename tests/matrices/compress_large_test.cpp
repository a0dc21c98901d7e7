// SPDX-License-Identifier: BSD-3-Clause
// Tests compression by several threads against compress().
#include <gtest/gtest.h>

#include <complex>
#include <random>

#include "matrices/large_triplets.hpp"
#include "tests/support/matrices/scalars.hpp"

namespace frond {
namespace {

template <Scalar S>
LargeTriplets<S> large(const Triplets<S>& triplets) {
  return {triplets.num_rows,
          triplets.num_cols,
          triplets.symmetry,
          {triplets.rows.begin(), triplets.rows.end()},
          {triplets.cols.begin(), triplets.cols.end()},
          {triplets.values.begin(), triplets.values.end()}};
}

template <Scalar S>
void expect_the_same(const Triplets<S>& triplets) {
  const SparseMatrix<S> expected = compress(triplets);
  for (const int num_threads : {1, 2, 7}) {
    const SparseMatrix<S> matrix = compress_large(large(triplets), num_threads);
    EXPECT_EQ(matrix.num_rows, expected.num_rows);
    EXPECT_EQ(matrix.num_cols, expected.num_cols);
    EXPECT_EQ(matrix.symmetry, expected.symmetry);
    EXPECT_EQ(matrix.column_offsets, expected.column_offsets);
    EXPECT_EQ(matrix.row_indices, expected.row_indices);
    EXPECT_EQ(matrix.values, expected.values);  // bit by bit: the order of summation is fixed
  }
}

template <Scalar S>
Triplets<S> drawn(std::mt19937& random, Index rows, Index cols, int num_entries, bool has_dense_column) {
  Triplets<S> triplets{.num_rows = rows, .num_cols = cols, .symmetry = Symmetry::general};
  for (int k = 0; k < num_entries; ++k) {
    const auto col = has_dense_column && k % 3 == 0 ? cols / 2 : static_cast<Index>(random() % static_cast<unsigned>(cols));
    triplets.add(static_cast<Index>(random() % static_cast<unsigned>(rows)), col, S(static_cast<double>(random()) * 1e-3));
  }
  return triplets;
}

TEST(CompressLarge, makes_the_same_matrix) {
  std::mt19937 random(3);
  for (const bool has_dense_column : {false, true}) {
    for (const int num_entries : {0, 1, 50, 400000}) {
      expect_the_same(drawn<double>(random, 700, 500, num_entries, has_dense_column));
      expect_the_same(drawn<std::complex<double>>(random, 30000, 40000, num_entries, has_dense_column));
    }
  }
}

TEST(CompressLarge, takes_sorted_entries_as_they_are) {
  std::mt19937 random(4);
  for (const Index width : {2000, 200000}) {  // every tenth column is empty
    Triplets<double> triplets{.num_rows = 400, .num_cols = width, .symmetry = Symmetry::general};
    for (Index j = 0; j < width; ++j) {
      for (Index i = static_cast<Index>(random() % 90); j % 10 != 9 && i < 400; i += static_cast<Index>(1 + random() % 180)) {
        triplets.add(i, j, static_cast<double>(random()));
      }
    }
    expect_the_same(triplets);
  }
  expect_the_same(Triplets<double>{.num_rows = 0, .num_cols = 0});
  expect_the_same(Triplets<double>{.num_rows = 3, .num_cols = 2});
}

}  // namespace
}  // namespace frond
