// SPDX-License-Identifier: BSD-3-Clause
// Tests orderings: permutations for every kind of graph, the choice between them, and rejected input.
#include "analysis/ordering/ordering.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "analysis/ordering/amd_ordering.hpp"
#include "analysis/ordering/metis_ordering.hpp"
#include "analysis/ordering/nested_dissection.hpp"
#include "analysis/ordering/sampled_orderings.hpp"
#include "analysis/symbolic.hpp"
#include "frond/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/patterns.hpp"
#include "tests/support/oracles/reference.hpp"

namespace frond::test {
namespace {

Graph graph_of(const Pattern& pattern) { return adjacency_graph(pattern.view()); }

/// A star: vertex 0 is a neighbour of all others.
Graph star(Index order) {
  std::vector<Entry> entries;
  for (Index k = 1; k < order; ++k) entries.push_back({k, 0});
  return graph_of(pattern_of(order, Symmetry::symmetric, entries));
}

/// `num_parts` grids without an edge between them, and as many isolated vertices.
Graph many_parts(Index num_parts, Index width) {
  const Pattern part = grid_pattern(width, width, 1);
  std::vector<Entry> entries;
  for (Index k = 0; k < num_parts; ++k) {
    for (Index column = 0; column < part.order; ++column) {
      for (Count e = part.column_offsets[column]; e < part.column_offsets[column + 1]; ++e) {
        entries.push_back({k * part.order + part.row_indices[e], k * part.order + column});
      }
    }
  }
  return graph_of(pattern_of(num_parts * (part.order + 1), Symmetry::symmetric, entries));
}

class OrderingLibrary : public ::testing::TestWithParam<std::vector<Index> (*)(const Graph&)> {};

TEST_P(OrderingLibrary, ReturnsAPermutationForEveryGraph) {
  std::vector<Graph> graphs = {many_parts(50, 4), many_parts(3, 30), star(2000), graph_of(grid_pattern(40, 1, 1))};
  for (const Pattern& pattern : random_sample()) graphs.push_back(graph_of(pattern));
  for (const Graph& graph : graphs) {
    const std::vector<Index> perm = GetParam()(graph);
    ASSERT_EQ(static_cast<Index>(perm.size()), graph.num_vertices());
    EXPECT_EQ(check_permutation(make_permutation(perm)), "");
  }
}

TEST_P(OrderingLibrary, ReducesTheFillOfAGrid) {
  const Pattern pattern = grid_pattern(40, 40, 1);
  const Elimination ordered = eliminate(graph_of(pattern), GetParam()(graph_of(pattern)));
  const Elimination banded = order_graph(graph_of(pattern), {OrderingKind::natural, {}, true}).elimination;
  EXPECT_LT(ordered.sum_squares, banded.sum_squares / 2);
}

TEST_P(OrderingLibrary, PutsDenseVerticesLast) {
  const std::vector<Index> perm = GetParam()(star(2000));
  EXPECT_EQ(perm.back(), 0);
}

std::vector<Index> dissection_on_two_threads(const Graph& graph) { return nested_dissection(graph, 2); }

INSTANTIATE_TEST_SUITE_P(Libraries, OrderingLibrary, ::testing::Values(&metis_ordering, &amd_ordering, &dissection_on_two_threads));

TEST(MetisOrdering, BalancesWeights) {
  // a path whose first vertex weighs as much as all others: the separator is next to it
  Graph graph = graph_of(grid_pattern(400, 1, 1));
  graph.weights[0] = 399;
  const std::vector<Index> perm = metis_ordering(graph);
  EXPECT_LT(perm.back(), 100);
}

TEST(MetisOrdering, PutsDenseVerticesLastByIncreasingDegree) {
  // a grid of 3600 points and three more vertices with every point, every second and every third as neighbours
  const Pattern grid = grid_pattern(60, 60, 1);
  std::vector<Entry> entries;
  for (Index column = 0; column < grid.order; ++column) {
    for (Count e = grid.column_offsets[column]; e < grid.column_offsets[column + 1]; ++e)
      entries.push_back({grid.row_indices[e], column});
    for (Index k = 0; k < 3; ++k) {
      if (column % (k + 1) == 0) entries.push_back({grid.order + k, column});
    }
  }
  const std::vector<Index> perm = metis_ordering(graph_of(pattern_of(grid.order + 3, Symmetry::symmetric, entries)));
  EXPECT_EQ(std::vector<Index>(perm.end() - 3, perm.end()), (std::vector<Index>{grid.order + 2, grid.order + 1, grid.order}));
}

TEST(MetisOrdering, PutsVerticesWithDenseNeighborsOnlyFirst) {
  // vertex 0 is a neighbour of all; in addition, the last two are neighbours of each other
  std::vector<Entry> entries = {{1999, 1998}};
  for (Index k = 1; k < 2000; ++k) entries.push_back({k, 0});
  const std::vector<Index> perm = metis_ordering(graph_of(pattern_of(2000, Symmetry::symmetric, entries)));
  for (Index k = 0; k < 1997; ++k) EXPECT_EQ(perm[k], k + 1);
  EXPECT_EQ(perm[1999], 0);
}

TEST(MetisOrdering, NamesTheNumbersThatExceedItsIndexType) {
  EXPECT_NO_THROW(check_metis_width(1000, 2147483647));
  const auto error = testing::error_of<UsageError>([&] { check_metis_width(300000000, 3000000000); });
  for (const char* part : {"32-bit", "2147483647", "300000000 vertices", "3000000000 neighbours", "dissection"}) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(OrderGraph, TakesTheBetterOfBothWhereManyFactorizationsAreExpected) {
  for (const Pattern& pattern :
       {grid_pattern(30, 30, 1), grid_pattern(12, 12, 12), random_pattern(300, Symmetry::general, 0.01, 8)}) {
    const Graph graph = graph_of(pattern);
    const OrderedGraph best = order_graph(graph, {.expected_factorizations = 1000});
    const OrderedGraph by_dissection = order_graph(graph, {OrderingKind::dissection, {}, true});
    const OrderedGraph by_amd = order_graph(graph, {OrderingKind::amd, {}, true});
    EXPECT_EQ(by_dissection.kind, OrderingKind::dissection);
    EXPECT_EQ(by_amd.kind, OrderingKind::amd);
    EXPECT_EQ(best.elimination.sum_squares, std::min(by_dissection.elimination.sum_squares, by_amd.elimination.sum_squares));
    EXPECT_EQ(best.kind, by_amd.elimination.sum_squares <= by_dissection.elimination.sum_squares ? OrderingKind::amd
                                                                                                 : OrderingKind::dissection);
  }
}

TEST(OrderGraph, SparesDissectionThatTakesLongerThanItSaves) {
  EXPECT_EQ(order_graph(graph_of(random_pattern(4000, Symmetry::general, 0.0002, 8)), {}).kind, OrderingKind::amd);
  EXPECT_EQ(order_graph(graph_of(grid_pattern(20000, 1, 1)), {}).kind, OrderingKind::amd);
  EXPECT_EQ(order_graph(graph_of(grid_pattern(30, 30, 1)), {}).kind, OrderingKind::amd);
  EXPECT_EQ(order_graph(graph_of(grid_pattern(28, 28, 28)), {}).kind, OrderingKind::dissection);
}

TEST(OrderGraph, TakesLongerWhereMoreFactorizationsAreExpected) {
  const Graph grid = graph_of(grid_pattern(150, 150, 1));
  OrderingOptions options{.expected_factorizations = 0.01};
  EXPECT_EQ(order_graph(grid, options).kind, OrderingKind::amd);
  options.expected_factorizations = 1000;
  EXPECT_EQ(order_graph(grid, options).kind, OrderingKind::dissection);
}

TEST(OrderGraph, DissectsGraphsWithManyNeighborsUnlessTheyAreNarrow) {
  // a band of six neighbours on either side
  std::vector<Entry> entries;
  for (Index row = 0; row < 12000; ++row) {
    for (Index column = std::max<Index>(0, row - 6); column < row; ++column) entries.push_back({row, column});
  }
  const Graph band = graph_of(pattern_of(12000, Symmetry::symmetric, entries));
  EXPECT_EQ(order_graph(band, {}).kind, OrderingKind::amd);
  EXPECT_EQ(order_graph(band, {.expected_factorizations = 1e5}).kind, OrderingKind::dissection);
  EXPECT_EQ(order_graph(graph_of(grid_pattern(40, 40, 40, 2)), {}).kind, OrderingKind::dissection);
}

TEST(SampleOrderings, TellsGridsFromPaths) {
  const SampledOrderings grid = sample_orderings(graph_of(grid_pattern(200, 200, 1)), 10000, 1, {});
  EXPECT_GT(grid.by_amd, 1.2 * grid.by_dissection);
  const SampledOrderings path = sample_orderings(graph_of(grid_pattern(30000, 1, 1)), 10000, 2, {});
  EXPECT_LT(path.by_amd, 1.2 * path.by_dissection);
  EXPECT_LT(path.by_amd, 10 * 10000);
}

TEST(SampleOrderings, TakesWhatThereIs) {
  EXPECT_EQ(sample_orderings(star(2000), 2000, 1, {}).by_amd, 4 * 1999 + 1);
  EXPECT_GT(sample_orderings(star(2000), 100, 1, {}).by_amd, 0);           // the centre has too many neighbours to be followed
  EXPECT_GT(sample_orderings(many_parts(50, 4), 500, 1, {}).by_amd, 500);  // this many are spread over many parts
}

TEST(OrderGraph, LeavesAGraphWithoutEdgesAsItIs) {
  const OrderedGraph ordered = order_graph(graph_of(random_pattern(30, Symmetry::general, 0, 1)), {});
  EXPECT_EQ(ordered.kind, OrderingKind::natural);
  EXPECT_EQ(ordered.ordering_seconds, 0);
}

TEST(OrderGraph, CompressesUnlessToldNotTo) {
  const Graph graph = graph_of(grid_pattern(10, 10, 3, 3));
  EXPECT_EQ(order_graph(graph, {OrderingKind::metis, {}, true}).compressed.graph.num_vertices(), 300);
  EXPECT_EQ(order_graph(graph, {OrderingKind::metis, {}, false}).compressed.graph.num_vertices(), 900);
  EXPECT_EQ(order_graph(graph, {OrderingKind::natural, {}, true}).compressed.graph.num_vertices(), 900);
}

TEST(OrderGraph, FollowsTheGivenOrder) {
  const Pattern pattern = grid_pattern(6, 5, 1);
  const std::vector<Index> perm = random_permutation(30, 9);
  const OrderedGraph ordered = order_graph(graph_of(pattern), {OrderingKind::given, perm, true});
  EXPECT_EQ(ordered.kind, OrderingKind::given);
  double sum = 0;
  for (const Index count : NaiveFactor(pattern.view(), perm).counts()) sum += count;
  EXPECT_EQ(ordered.elimination.sum_counts, sum);
}

TEST(OrderGraph, RefusesWhatIsNoPermutation) {
  const Graph graph = graph_of(grid_pattern(3, 1, 1));
  const auto refusal = [&](std::vector<Index> perm) -> std::string {
    return testing::complaint_of<UsageError>([&] { (void)order_graph(graph, {OrderingKind::given, std::move(perm), true}); });
  };
  EXPECT_EQ(refusal({2, 0, 1}), "");
  EXPECT_NE(refusal({0, 1}).find("2 entries, but the matrix has order 3"), std::string::npos);
  EXPECT_NE(refusal({0, 3, 1}).find("entry 1 is 3, outside 0..2"), std::string::npos);
  EXPECT_NE(refusal({0, -1, 1}).find("entry 1 is -1"), std::string::npos);
  EXPECT_NE(refusal({0, 1, 0}).find("0 appears again at entry 2"), std::string::npos);
}

}  // namespace
}  // namespace frond::test
