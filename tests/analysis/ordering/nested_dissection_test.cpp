// SPDX-License-Identifier: BSD-3-Clause
// Tests nested dissection: fill compared with METIS's, and that threads change nothing.
#include "analysis/ordering/nested_dissection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "analysis/graph/compress.hpp"
#include "analysis/ordering/elimination.hpp"
#include "analysis/ordering/metis_ordering.hpp"
#include "tests/support/matrices/patterns.hpp"

namespace frond::test {
namespace {

Graph graph_of(const Pattern& pattern) { return compress(adjacency_graph(pattern.view())).graph; }

TEST(NestedDissection, FillsNoMoreThanMetis) {
  for (const Pattern& pattern : {grid_pattern(90, 80, 1), grid_pattern(20, 20, 20), grid_pattern(16, 14, 12, 3)}) {
    const Graph graph = graph_of(pattern);
    const Elimination own = eliminate(graph, nested_dissection(graph, 1));
    const Elimination by_metis = eliminate(graph, metis_ordering(graph));
    EXPECT_LE(own.sum_counts, 1.03 * by_metis.sum_counts);
    EXPECT_LE(own.sum_squares, 1.06 * by_metis.sum_squares);
  }
}

TEST(NestedDissection, IsTheSameForAnyNumberOfThreads) {
  for (const Pattern& pattern : {grid_pattern(40, 35, 10), random_pattern(3000, Symmetry::symmetric, 0.001, 3)}) {
    const Graph graph = graph_of(pattern);
    const std::vector<Index> expected = nested_dissection(graph, 1);
    for (const int num_threads : {2, 3, 8}) EXPECT_EQ(nested_dissection(graph, num_threads), expected);
  }
}

TEST(NestedDissection, IsTheSameWhenCalledTwiceAtOnce) {
  const Graph graph = graph_of(grid_pattern(25, 25, 15));
  const std::vector<Index> expected = nested_dissection(graph, 1);
  std::vector<Index> results[2];
  {
    std::jthread first([&] { results[0] = nested_dissection(graph, 2); });
    std::jthread second([&] { results[1] = nested_dissection(graph, 2); });
  }
  EXPECT_EQ(results[0], expected);
  EXPECT_EQ(results[1], expected);
}

// There are no two sides: every vertex is a neighbour of every other, except for a perfect matching that keeps them
// distinguishable.
TEST(NestedDissection, OrdersWhatCannotBeSeparated) {
  std::vector<Entry> entries;
  for (Index row = 0; row < 300; ++row) {
    for (Index column = 0; column < row; ++column) {
      if (row != (column ^ 1)) entries.push_back({row, column});
    }
  }
  const Graph graph = graph_of(pattern_of(300, Symmetry::symmetric, entries));
  std::vector<Index> perm = nested_dissection(graph, 2);
  std::sort(perm.begin(), perm.end());
  for (Index k = 0; k < 300; ++k) EXPECT_EQ(perm[k], k);
}

}  // namespace
}  // namespace frond::test
