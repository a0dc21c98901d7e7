// SPDX-License-Identifier: BSD-3-Clause
// Tests separators: that they separate, how light they are on grids, and that refinement never makes them worse.
#include "analysis/ordering/separator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/support/matrices/level_graphs.hpp"
#include "tests/support/matrices/patterns.hpp"

namespace frond::test {
namespace {

void expect_separates(const LevelGraph& graph, const Separation& separation) {
  std::array<Count, 3> weights = {};
  for (Index vertex = 0; vertex < graph.num_vertices(); ++vertex) {
    const Side side = separation.sides[vertex];
    weights[static_cast<std::size_t>(side)] += graph.weights[vertex];
    for (const Index neighbor : graph.neighbors_of(vertex)) {
      const Side other = separation.sides[neighbor];
      EXPECT_TRUE(side == Side::separator || other == Side::separator || side == other);
    }
  }
  EXPECT_EQ(weights, separation.weights);
}

Count largest_side(const Separation& separation) {
  return std::max(separation.weight(Side::first), separation.weight(Side::second));
}

TEST(FindSeparator, SeparatesEveryGraph) {
  std::vector<LevelGraph> graphs = {level_graph(grid_pattern(25, 25, 12)), level_graph(grid_pattern(3000, 1, 1))};
  for (const Pattern& pattern : random_sample()) {
    if (pattern.order > 0) graphs.push_back(level_graph(pattern));
  }
  for (const LevelGraph& graph : graphs) {
    Random random(3);
    GraphHierarchy hierarchy(graph);
    expect_separates(graph, find_separator(hierarchy, random, 1));
  }
}

TEST(FindSeparator, IsHardlyHeavierThanAPlaneOfAGrid) {
  constexpr double kUneven = 1.05;
  for (const auto& [pattern, plane] : {std::pair{grid_pattern(300, 1, 1), 1},
                                       {grid_pattern(60, 60, 1), 60},
                                       {grid_pattern(24, 24, 24), 24 * 24},
                                       {grid_pattern(40, 20, 10), 200}}) {
    const LevelGraph graph = level_graph(pattern);
    Random random(7);
    GraphHierarchy hierarchy(graph);
    const Separation separation = find_separator(hierarchy, random, 1);
    EXPECT_LE(separation.weight(Side::separator), kUneven * plane);
    EXPECT_LE(largest_side(separation), 0.61 * static_cast<double>(graph.total_weight));
  }
}

// A plane x + y + z = const cuts a hexagon of 3/4 as many points out of the grid as a plane x = const.
TEST(FindSeparator, FindsThatSlantedPlanesHoldFewerPointsOfASevenPointGrid) {
  GraphHierarchy hierarchy(level_graph(grid_pattern(32, 32, 32)));
  Random random(1);
  EXPECT_LE(find_separator(hierarchy, random, 1).weight(Side::separator), 0.9 * 32 * 32);
}

TEST(FindSeparator, NeedsNoVerticesBetweenParts) {
  std::vector<Entry> entries;
  for (const Index begin : {0, 500}) {
    for (Index k = begin + 1; k < begin + 500; ++k) entries.push_back({k, k - 1});
  }
  GraphHierarchy hierarchy(level_graph(pattern_of(1000, Symmetry::symmetric, entries)));
  Random random(1);
  EXPECT_EQ(find_separator(hierarchy, random, 1).weight(Side::separator), 0);
}

TEST(FindSeparator, IsTheSameForAnyNumberOfThreads) {
  const LevelGraph graph = level_graph(grid_pattern(30, 25, 20));
  Random random(11);
  GraphHierarchy hierarchy(graph);
  const Separation expected = find_separator(hierarchy, random, 1);
  for (const int num_threads : {2, 3, 8}) {
    Random again(11);
    GraphHierarchy same(graph);
    EXPECT_EQ(find_separator(same, again, num_threads).sides, expected.sides);
    EXPECT_EQ(again(), Random(random)());
  }
}

// The coarser graphs of a part are those of the whole, restricted to what is left.
TEST(FindSeparator, SeparatesPartsByWhatTheWholeWasMadeInto) {
  const LevelGraph graph = level_graph(grid_pattern(150, 140, 1));
  GraphHierarchy whole(graph);
  Random random(5);
  const Separation separation = find_separator(whole, random, 1);
  EXPECT_GT(whole.num_levels(), 1);
  std::vector<Index> number(separation.sides.size(), -1);
  Index count = 0;
  for (std::size_t vertex = 0; vertex < number.size(); ++vertex) {
    if (separation.sides[vertex] == Side::first) number[vertex] = count++;
  }
  GraphHierarchy part = whole.part(number, count);
  EXPECT_EQ(part.num_levels(), whole.num_levels());
  const Separation of_part = find_separator(part, random, 1);
  expect_separates(part.finest(), of_part);
  EXPECT_LE(of_part.weight(Side::separator), 80);
}

TEST(Refine, NeverMakesASeparationWorse) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(seed);
  Random random(seed);
  for (int run = 0; run < 50; ++run) {
    LevelGraph graph = level_graph(grid_pattern(14, 40 + run % 4, 1));
    for (Index& weight : graph.weights) weight = 1 + static_cast<Index>(random() % 4);
    graph.total_weight = 0;
    for (const Index weight : graph.weights) graph.total_weight += weight;
    // two random cuts through the grid, with the separator between them
    const auto n = static_cast<std::uint64_t>(graph.num_vertices());
    const auto first_end = static_cast<Index>(n / 4 + random() % (n / 8));
    const auto separator_end = static_cast<Index>(n / 2 + random() % (n / 4));
    Separation separation{std::vector<Side>(n), {}};
    for (Index vertex = 0; vertex < graph.num_vertices(); ++vertex) {
      const Side side = vertex < first_end ? Side::first : vertex < separator_end ? Side::separator : Side::second;
      separation.sides[vertex] = side;
      separation.weights[static_cast<std::size_t>(side)] += graph.weights[vertex];
    }
    const Count before = separation.weight(Side::separator);
    refine(graph, separation);
    expect_separates(graph, separation);
    EXPECT_LT(separation.weight(Side::separator), before);
    EXPECT_LE(largest_side(separation), 0.61 * static_cast<double>(graph.total_weight));
  }
}

}  // namespace
}  // namespace frond::test
