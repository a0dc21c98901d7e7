// SPDX-License-Identifier: BSD-3-Clause
// Tests the graph of A + A^T against a set of pairs, and the rejection of arrays that are not a pattern.
#include "analysis/graph/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/patterns.hpp"

namespace frond::test {
namespace {

std::set<Entry> edges_of(const Graph& graph) {
  std::set<Entry> edges;
  for (Index vertex = 0; vertex < graph.num_vertices(); ++vertex) {
    for (const Index neighbor : graph.neighbors_of(vertex)) edges.insert({vertex, neighbor});
  }
  return edges;
}

TEST(AdjacencyGraph, HoldsEveryOffDiagonalEntryAtBothEndsOnce) {
  for (const Pattern& pattern : random_sample()) {
    std::set<Entry> expected;
    for (Index column = 0; column < pattern.order; ++column) {
      for (Count e = pattern.column_offsets[column]; e < pattern.column_offsets[column + 1]; ++e) {
        const Index row = pattern.row_indices[e];
        if (row == column) continue;
        expected.insert({row, column});
        expected.insert({column, row});
      }
    }
    const Graph graph = adjacency_graph(pattern.view());
    EXPECT_EQ(graph.num_vertices(), pattern.order);
    EXPECT_EQ(edges_of(graph), expected);
    EXPECT_EQ(graph.neighbors.size(), expected.size());
    for (Index vertex = 0; vertex < graph.num_vertices(); ++vertex) {
      EXPECT_TRUE(std::is_sorted(graph.neighbors_of(vertex).begin(), graph.neighbors_of(vertex).end()));
    }
  }
}

TEST(AdjacencyGraph, DropsDuplicates) {
  const Pattern pattern = pattern_of(3, Symmetry::general, {{1, 0}, {1, 0}, {0, 1}, {2, 2}, {2, 2}});
  EXPECT_EQ(adjacency_graph(pattern.view()).neighbors, (LargeVector<Index>{1, 0}));
}

TEST(Renumber, KeepsEdgesAndWeights) {
  Graph graph = adjacency_graph(random_pattern(30, Symmetry::general, 0.1, 3).view());
  for (Index vertex = 0; vertex < 30; ++vertex) graph.weights[vertex] = vertex + 1;
  const Permutation order = make_permutation(random_permutation(30, 4));
  const Graph renumbered = renumber(graph, order);
  std::set<Entry> expected;
  for (const auto& [a, b] : edges_of(graph)) expected.insert({order.inverse_perm[a], order.inverse_perm[b]});
  EXPECT_EQ(edges_of(renumbered), expected);
  for (Index vertex = 0; vertex < 30; ++vertex) EXPECT_EQ(renumbered.weights[vertex], order.perm[vertex] + 1);
}

/// Returns the text of the UsageError that checking the arrays throws; "" if it throws none.
std::string refusal(Index num_rows, Index num_cols, const std::vector<Count>& offsets, const std::vector<Index>& rows) {
  return testing::complaint_of<UsageError>([&] { check_pattern({num_rows, num_cols, Symmetry::general, offsets, rows}); });
}

void expect_mentions(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " is not in: " << text;
}

TEST(CheckPattern, NamesWhatIsWrongWithItsNumbers) {
  EXPECT_EQ(refusal(2, 2, {0, 1, 2}, {1, 0}), "");
  EXPECT_EQ(refusal(0, 0, {0}, {}), "");
  expect_mentions(refusal(3, 2, {0, 1, 2}, {1, 0}), {"3 rows", "2 columns", "square"});
  expect_mentions(refusal(-1, -1, {0}, {}), {"-1"});
  expect_mentions(refusal(2, 2, {0, 1}, {1}), {"3 column offsets", "not 2"});
  expect_mentions(refusal(0, 0, {}, {}), {"1 column offsets", "not 0"});
  expect_mentions(refusal(1, 1, {1, 1}, {0}), {"start with 1"});
  expect_mentions(refusal(2, 2, {0, 5, 2}, {1, 0}), {"decrease from 5 to 2", "column 1"});
  expect_mentions(refusal(2, 2, {0, 1, 3}, {1, 0}), {"end with 3", "2 row indices"});
  expect_mentions(refusal(2, 2, {0, 1, 2}, {1, 2}), {"row index 2", "column 1", "0..1"});
  expect_mentions(refusal(2, 2, {0, 1, 2}, {-7, 1}), {"row index -7", "column 0"});
}

}  // namespace
}  // namespace frond::test
