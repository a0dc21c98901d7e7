// SPDX-License-Identifier: BSD-3-Clause
// Tests that the column parts of a matrix add up to the whole.
#include "solver/distributed/ranks/column_part.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

TEST(ColumnPart, PartsAddUpToTheMatrix) {
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const auto matrix = testing::random_matrix<double>(50, 4, symmetry, testing::Flavour::dominant, 1);
    for (const Rank num_ranks : {1, 2, 3, 8, 70}) {
      std::vector<double> values;
      for (Rank rank = 0; rank < num_ranks; ++rank) {
        const ColumnPart<double> part(matrix.view(), rank, num_ranks);
        const MatrixView<double> view = part.view();
        EXPECT_EQ(view.pattern.symmetry, symmetry);
        EXPECT_LE(view.pattern.num_entries(), matrix.num_entries() / num_ranks + 50);
        for (Index j = 0; j < 50; ++j) {
          const auto column = static_cast<std::size_t>(j);
          const auto begin = static_cast<std::size_t>(view.pattern.column_offsets[column]);
          const auto end = static_cast<std::size_t>(view.pattern.column_offsets[column + 1]);
          if (begin < end) {
            const auto whole = static_cast<std::size_t>(matrix.column_offsets[column]);
            EXPECT_EQ(static_cast<Count>(end - begin), matrix.column_offsets[column + 1] - matrix.column_offsets[column]);
            EXPECT_TRUE(std::equal(view.pattern.row_indices.begin() + begin, view.pattern.row_indices.begin() + end,
                                   matrix.row_indices.begin() + whole));
          }
        }
        values.insert(values.end(), view.values.begin(), view.values.end());
      }
      EXPECT_EQ(values, matrix.values);
    }
  }
}

TEST(ColumnPart, OfNothingIsNothing) {
  const SparseMatrix<double> matrix;
  EXPECT_EQ(ColumnPart<double>(matrix.view(), 1, 3).view().pattern.num_entries(), 0);
}

}  // namespace
}  // namespace frond
