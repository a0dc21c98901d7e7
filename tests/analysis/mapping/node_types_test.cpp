// SPDX-License-Identifier: BSD-3-Clause
// Tests bounds on the ranks of a front, on both sides of each threshold.
#include "analysis/mapping/node_types.hpp"

#include <gtest/gtest.h>

#include "frond/error.hpp"
#include "tests/support/matrices/trees.hpp"

namespace frond::test {
namespace {

TEST(MaxSlaves, AsksForRowsAndWork) {
  const MappingOptions options{.min_slave_rows = 80, .min_front_flops = 1e6};
  EXPECT_EQ(max_slaves(500, 100, Method::lu, options), 5);
  EXPECT_EQ(max_slaves(500, 420, Method::lu, options), 1);
  EXPECT_EQ(max_slaves(500, 421, Method::lu, options), 0);
  EXPECT_EQ(max_slaves(500, 500, Method::lu, options), 0);
  EXPECT_EQ(max_slaves(500, 4, Method::cholesky, options), 0);  // not quite 4 * 500^2 = 1e6 flops
  EXPECT_EQ(max_slaves(500, 5, Method::cholesky, options), 6);
}

TEST(GridShape, IsNearSquareAndNoLargerThanPays) {
  const MappingOptions options{.grid_order_per_side = 100};
  const auto expect_shape = [&](Index order, Rank num_ranks, Rank rows, Rank cols) {
    const GridShape shape = grid_shape(order, num_ranks, options);
    EXPECT_EQ(shape.num_rows, rows) << order << ", " << num_ranks;
    EXPECT_EQ(shape.num_cols, cols) << order << ", " << num_ranks;
  };
  expect_shape(1000, 1, 1, 1);
  expect_shape(1000, 2, 1, 2);
  expect_shape(1000, 3, 1, 3);
  expect_shape(1000, 4, 2, 2);
  expect_shape(1000, 7, 2, 3);
  expect_shape(1000, 8, 2, 4);
  expect_shape(1000, 4096, 10, 10);
  expect_shape(399, 8, 2, 3);  // three columns of 100, not four
  expect_shape(199, 8, 1, 1);
  EXPECT_EQ(grid_shape(99, 8, options).size(), 0);
  for (Rank num_ranks = 1; num_ranks < 200; ++num_ranks) {
    const GridShape shape = grid_shape(100000, num_ranks, options);
    EXPECT_LE(shape.size(), num_ranks);
    EXPECT_GT(shape.size() + shape.num_rows, num_ranks);
    EXPECT_LE(shape.num_rows, shape.num_cols);
    EXPECT_LE(shape.num_cols, shape.num_rows + 2);
  }
}

TEST(FindGridRoot, TakesTheLargestRootOfTheMethodsThatHaveGrids) {
  const AssemblyTree forest = full_tree({kNoParent, kNoParent, kNoParent}, {300, 700, 600});
  MappingOptions options{.num_ranks = 4};
  EXPECT_EQ(find_grid_root(forest, Method::lu, options), 1);
  EXPECT_EQ(find_grid_root(forest, Method::cholesky, options), 1);
  EXPECT_EQ(find_grid_root(forest, Method::ldlt, options), kNoNode);
  EXPECT_EQ(find_grid_root(forest, Method::ldlh, options), kNoNode);
  EXPECT_EQ(find_grid_root(AssemblyTree(), Method::lu, options), kNoNode);
  options.grid_order_per_side = 351;  // two of them do not fit
  EXPECT_EQ(find_grid_root(forest, Method::lu, options), kNoNode);
  options.grid_order_per_side = 350;
  EXPECT_EQ(find_grid_root(forest, Method::lu, options), 1);
  options.grid_ranks = {3};
  EXPECT_EQ(find_grid_root(forest, Method::lu, options), kNoNode);
  options.num_ranks = 1;
  options.grid_ranks = {};
  EXPECT_EQ(find_grid_root(forest, Method::lu, options), kNoNode);
}

// The choice does not depend on the method, nor on the size of other roots.
TEST(FindGridRoot, TakesASchurComplement) {
  const AssemblyTree forest = full_tree({kNoParent, kNoParent}, {900, 600}, 1);
  MappingOptions options{.num_ranks = 4};
  for (const Method method : {Method::cholesky, Method::ldlt, Method::ldlh, Method::lu}) {
    EXPECT_EQ(find_grid_root(forest, method, options), 1);
  }
  options.grid_order_per_side = 301;
  EXPECT_EQ(find_grid_root(forest, Method::lu, options), kNoNode);
}

TEST(GridRanks, AreAllOrThoseNamed) {
  MappingOptions options{.num_ranks = 3};
  EXPECT_EQ(grid_ranks(options), (std::vector<Rank>{0, 1, 2}));
  options.grid_ranks = {2, 0};
  EXPECT_EQ(grid_ranks(options), (std::vector<Rank>{2, 0}));
  for (const std::vector<Rank>& wrong : {std::vector<Rank>{0, 3}, {-1}, {1, 1}}) {
    options.grid_ranks = wrong;
    EXPECT_THROW((void)grid_ranks(options), UsageError);
  }
}

}  // namespace
}  // namespace frond::test
