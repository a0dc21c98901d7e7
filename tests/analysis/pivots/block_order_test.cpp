// SPDX-License-Identifier: BSD-3-Clause
// Tests the order for elimination over columns against what it promises.
#include "analysis/pivots/block_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "analysis/graph/permutation.hpp"
#include "matrices/model_problems.hpp"
#include "tests/support/matrices/reducible_systems.hpp"

namespace frond {
namespace {

using testing::Shuffle;

bool is_permutation(std::vector<Index> order) {
  std::sort(order.begin(), order.end());
  std::vector<Index> expected(order.size());
  std::iota(expected.begin(), expected.end(), 0);
  return order == expected;
}

TEST(BlockOrder, MakesTheMatrixBlockUpperTriangularWithAWholeDiagonal) {
  for (const Shuffle shuffle : {Shuffle::none, Shuffle::alike, Shuffle::apart}) {
    const SparseMatrix<double> matrix = testing::reducible_matrix<double>({1, 7, 1, 2, 20, 1}, 2, shuffle, 5);
    const std::optional<BlockOrder> order = order_blocks(matrix.pattern());
    ASSERT_TRUE(order);
    ASSERT_TRUE(is_permutation(order->row_order));
    ASSERT_TRUE(is_permutation(order->column_order));
    std::vector<Index> sizes(order->blocks.size());
    std::adjacent_difference(order->blocks.begin(), order->blocks.end(), sizes.begin());
    std::sort(sizes.begin() + 1, sizes.end());
    EXPECT_EQ(sizes, (std::vector<Index>{0, 1, 1, 1, 2, 7, 20}));
    const std::vector<Index> row_places = invert(order->row_order);
    const std::vector<Index> column_places = invert(order->column_order);
    std::vector<char> has_diagonal(row_places.size(), 0);
    const auto block_of = [&](Index place) {
      return std::upper_bound(order->blocks.begin(), order->blocks.end(), place) - order->blocks.begin();
    };
    testing::for_each_entry(matrix, [&](Index i, Index j, double /*value*/) {
      EXPECT_LE(block_of(row_places[i]), block_of(column_places[j]));
      if (row_places[i] == column_places[j]) {
        has_diagonal[row_places[i]] = 1;
      }
    });
    EXPECT_EQ(std::count(has_diagonal.begin(), has_diagonal.end(), 1), matrix.num_cols);
  }
}

// A matching that does not begin with the diagonal has 330 pairs and more elsewhere.
TEST(BlockOrder, KeepsMostOfTheDiagonalOfCircuits) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const SparseMatrix<double> matrix = make_nodal_equations(500, seed);
    const std::optional<BlockOrder> order = order_blocks(matrix.pattern());
    ASSERT_TRUE(order);
    Index num_elsewhere = 0;
    for (std::size_t place = 0; place < order->row_order.size(); ++place) {
      num_elsewhere += order->row_order[place] != order->column_order[place] ? 1 : 0;
    }
    EXPECT_LE(num_elsewhere, 300) << seed;
  }
}

TEST(BlockOrder, PredictsChainsExactly) {
  Triplets<double> chain{50, 50, Symmetry::general};
  for (Index k = 0; k < 50; ++k) {
    chain.add(k, k, 4);
    chain.add(k, (k + 1) % 50, -1);  // closed, so that it is one block
    if (k > 0) {
      chain.add(k, k - 1, -1);
    }
  }
  const SparseMatrix<double> matrix = compress(std::move(chain));
  const std::optional<BlockOrder> order = order_blocks(matrix.pattern());
  ASSERT_TRUE(order);
  EXPECT_EQ(order->blocks, (std::vector<Index>{0, 50}));
  // A closed chain of 50: 48 columns of L with two entries, one with one, and the last with none; U likewise.
  EXPECT_EQ(order->entries, 50 + 2 * (48 * 2 + 1));
  EXPECT_EQ(order->multiplications, 48 * 4 + 1);
}

TEST(BlockOrder, FindsNoneForAStructurallySingularMatrix) {
  Triplets<double> entries{3, 3, Symmetry::general};
  entries.add(0, 0, 1);
  entries.add(0, 1, 1);
  entries.add(0, 2, 1);
  entries.add(1, 2, 1);
  EXPECT_FALSE(order_blocks(compress(std::move(entries)).pattern()));
}

}  // namespace
}  // namespace frond
