// SPDX-License-Identifier: BSD-3-Clause
// Tests names of forests, and names that denote nothing.
#include "tests/cross/named_matrix.hpp"

#include <gtest/gtest.h>

#include "frond/error.hpp"
#include "matrices/generate.hpp"

namespace frond::test {
namespace {

TEST(NamedMatrixTest, PutsTheTreesOfAForestOnTheDiagonal) {
  const auto forest = std::get<SparseMatrix<double>>(named_matrix("laplacian2d5:1+laplacian2d5:2", ""));
  const auto tree = std::get<SparseMatrix<double>>(generate(ModelProblem::laplacian2d5, 2, 1));
  EXPECT_EQ(forest.num_rows, 5);
  EXPECT_EQ(forest.num_cols, 5);
  EXPECT_EQ(forest.symmetry, Symmetry::symmetric);
  ASSERT_EQ(forest.column_offsets.size(), 6U);
  EXPECT_EQ(forest.column_offsets[1], 1);
  ASSERT_EQ(forest.num_entries(), 1 + tree.num_entries());
  EXPECT_EQ(forest.column_offsets.back(), forest.num_entries());
  for (std::size_t k = 0; k < tree.values.size(); ++k) {
    EXPECT_EQ(forest.row_indices[k + 1], tree.row_indices[k] + 1);
    EXPECT_EQ(forest.values[k + 1], tree.values[k]);
  }
}

TEST(NamedMatrixTest, RefusesWhatDoesNotFit) {
  EXPECT_THROW((void)named_matrix("laplacian2d5:2+convection3d:2", ""), UsageError);
  EXPECT_THROW((void)named_matrix("laplacian2d5:2+helmholtz3d:2", ""), UsageError);
  EXPECT_THROW((void)named_matrix("laplacian2d5:2x", ""), UsageError);
  EXPECT_THROW((void)named_matrix("missing.mtx", "."), InputError);
}

}  // namespace
}  // namespace frond::test
