// SPDX-License-Identifier: BSD-3-Clause
// Tests orderings that run at the same time, and the threads that they share.
#include <gtest/gtest.h>

#include <stop_token>
#include <vector>

#include "analysis/ordering/nested_dissection.hpp"
#include "analysis/ordering/ordering.hpp"
#include "tests/support/matrices/patterns.hpp"

namespace frond::test {
namespace {

Graph grid_graph(Index nx, Index ny, Index nz) { return adjacency_graph(grid_pattern(nx, ny, nz).view()); }

std::vector<Index> automatic_order(const Graph& graph, int num_threads, OrderingKind& kind) {
  const OrderedGraph ordered = order_graph(graph, {.num_threads = num_threads});
  kind = ordered.kind;
  return ordered.compressed.expand(ordered.elimination.perm);
}

// The small grids need both orders; for the plane AMD's suffices and dissection is stopped; for the cube dissection's is better.
TEST(OrderingThreads, DoNotChangeTheOrder) {
  for (const Graph& graph : {grid_graph(40, 30, 1), grid_graph(12, 12, 12), grid_graph(120, 120, 1), grid_graph(28, 28, 28)}) {
    OrderingKind expected_kind = OrderingKind::automatic;
    const std::vector<Index> expected = automatic_order(graph, 1, expected_kind);
    for (const int num_threads : {2, 3, 8}) {
      OrderingKind kind = OrderingKind::automatic;
      EXPECT_EQ(automatic_order(graph, num_threads, kind), expected);
      EXPECT_EQ(kind, expected_kind);
    }
  }
}

TEST(OrderingThreads, TakeBothKindsOfOrders) {
  OrderingKind kind = OrderingKind::automatic;
  (void)automatic_order(grid_graph(120, 120, 1), 2, kind);
  EXPECT_EQ(kind, OrderingKind::amd);
  (void)automatic_order(grid_graph(28, 28, 28), 2, kind);
  EXPECT_EQ(kind, OrderingKind::dissection);
}

TEST(OrderingThreads, DissectionThatIsStoppedReturnsAtOnce) {
  const Graph graph = grid_graph(40, 40, 40);
  std::stop_source stop;
  stop.request_stop();
  SpareThreads spare(3);
  EXPECT_EQ(nested_dissection(graph, spare, stop.get_token()).size(), 64000U);
  EXPECT_EQ(spare.take(4), 3) << "all threads are back";
}

TEST(SpareThreads, AreNoMoreThanThereAre) {
  SpareThreads spare(3);
  EXPECT_EQ(spare.take(2), 2);
  {
    const TakenThreads taken(spare, 5);
    EXPECT_EQ(taken.number(), 1);
    EXPECT_EQ(spare.take(1), 0);
  }
  EXPECT_EQ(spare.take(5), 1);
  {
    const TakenThreads one = TakenThreads::one_of(spare);
    EXPECT_EQ(one.number(), 1);
  }
  EXPECT_EQ(spare.take(5), 1);
  EXPECT_EQ(SpareThreads(-1).take(1), 0);
}

}  // namespace
}  // namespace frond::test
