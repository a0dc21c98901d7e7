// SPDX-License-Identifier: BSD-3-Clause
// Tests costs of fronts and of their parts against sums over steps, rows and columns.
#include "analysis/tree/front_cost.hpp"
#include "tests/support/matrices/methods.hpp"

#include <gtest/gtest.h>

namespace frond::test {
namespace {

TEST(EliminationCost, IsASumOverThePivots) {
  for (const Index order : {1, 7, 40}) {
    for (const Index pivots : {0, 1, order / 2, order}) {
      FrontCost symmetric;
      FrontCost lu;
      for (Index k = 0; k < pivots; ++k) {
        const double c = order - k;
        symmetric += {c * c, c};
        lu += {(c - 1) + 2 * (c - 1) * (c - 1), 2 * c - 1};
      }
      EXPECT_DOUBLE_EQ(elimination_cost(order, pivots, Method::ldlt).flops, symmetric.flops);
      EXPECT_DOUBLE_EQ(elimination_cost(order, pivots, Method::ldlt).entries, symmetric.entries);
      EXPECT_DOUBLE_EQ(elimination_cost(order, pivots, Method::lu).flops, lu.flops);
      EXPECT_DOUBLE_EQ(elimination_cost(order, pivots, Method::lu).entries, lu.entries);
    }
  }
}

/// Returns the cost of eliminating `pivots` columns in the row at position `row`, entry by entry.
FrontCost naive_row_cost(Index order, Index pivots, Index row, Method method) {
  FrontCost cost;
  const bool symmetric = is_symmetric(method);
  for (Index k = 0; k < pivots; ++k) {
    if (row > k) cost.flops += 1;  // the division
    for (Index column = k + 1; row > k && column < (symmetric ? row + 1 : order); ++column) cost.flops += 2;
    if (symmetric && row == k) cost.flops += 1;  // the square root or inverse of the pivot
    if (!symmetric || row >= k) cost.entries += 1;
  }
  if (!symmetric && row < pivots) cost.entries += order - pivots;
  return cost;
}

TEST(MasterAndSlaveCost, AreSumsOverTheirRows) {
  for (const Method method : kRealMethods) {
    for (const Index order : {5, 12}) {
      for (const Index pivots : {1, 3, 5}) {
        FrontCost master;
        for (Index row = 0; row < pivots; ++row) master += naive_row_cost(order, pivots, row, method);
        EXPECT_DOUBLE_EQ(master_cost(order, pivots, method).flops, master.flops);
        EXPECT_DOUBLE_EQ(master_cost(order, pivots, method).entries, master.entries);
        for (Index begin = 0; begin <= order - pivots; ++begin) {
          FrontCost slave;
          for (Index end = begin; end <= order - pivots; ++end) {
            EXPECT_DOUBLE_EQ(slave_cost(order, pivots, begin, end, method).flops, slave.flops);
            EXPECT_DOUBLE_EQ(slave_cost(order, pivots, begin, end, method).entries, slave.entries);
            slave += naive_row_cost(order, pivots, pivots + end, method);
          }
        }
      }
    }
  }
}

TEST(MasterAndSlaveCost, AddUpToTheElimination) {
  for (const Method method : kRealMethods) {
    const FrontCost whole = elimination_cost(30000, 11000, method);
    FrontCost parts = master_cost(30000, 11000, method);
    parts += slave_cost(30000, 11000, 0, 7000, method);
    parts += slave_cost(30000, 11000, 7000, 19000, method);
    EXPECT_DOUBLE_EQ(parts.flops, whole.flops);
    EXPECT_DOUBLE_EQ(parts.entries, whole.entries);
  }
}

TEST(FrontCost, CountsTheEntriesOfTheFront) {
  const AssemblyTree tree({1, kNoParent}, {0, 2, 5}, {0, 2, 2}, {2, 4});
  EXPECT_DOUBLE_EQ(front_cost(tree, 0, Method::cholesky).entries, 10);
  EXPECT_DOUBLE_EQ(front_cost(tree, 0, Method::lu).entries, 16);
  EXPECT_DOUBLE_EQ(front_cost(tree, 0, Method::cholesky).flops, 25);
  EXPECT_GT(front_seconds(front_cost(tree, 0, Method::lu)), front_seconds(front_cost(tree, 0, Method::cholesky)));
}

TEST(CbEntries, CountsATriangleOrASquareIn64Bits) {
  EXPECT_EQ(cb_entries(3, true), 6);
  EXPECT_EQ(cb_entries(3, false), 9);
  EXPECT_EQ(cb_entries(100000, false), 10000000000);
}

}  // namespace
}  // namespace frond::test
