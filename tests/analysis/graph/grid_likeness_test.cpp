// SPDX-License-Identifier: BSD-3-Clause
// Tests which graphs are recognized as cubes or narrow, in any numbering.
#include "analysis/graph/grid_likeness.hpp"

#include <gtest/gtest.h>

#include "matrices/generate.hpp"
#include "tests/support/matrices/patterns.hpp"

namespace frond::test {
namespace {

Graph graph_of(const Pattern& pattern) { return adjacency_graph(pattern.view()); }

Graph model_graph(ModelProblem kind, Index n) {
  return std::visit([](const auto& matrix) { return adjacency_graph(matrix.view().pattern); }, generate(kind, n, 1));
}

Graph shuffled(const Graph& graph) { return renumber(graph, make_permutation(random_permutation(graph.num_vertices(), 11))); }

TEST(GridLikeness, KnowsCubesInAnyNumbering) {
  for (const ModelProblem kind : {ModelProblem::laplacian3d7, ModelProblem::laplacian3d27, ModelProblem::convection3d,
                                  ModelProblem::kkt3d, ModelProblem::helmholtz3d}) {
    const Graph graph = model_graph(kind, 16);
    EXPECT_TRUE(is_like_cube(graph)) << model_problem_info(kind).name;
    EXPECT_TRUE(is_like_cube(shuffled(graph))) << model_problem_info(kind).name;
  }
}

TEST(GridLikeness, TellsGridsInThePlaneAndBarsFromCubes) {
  for (const Index width : {100, 300}) {
    EXPECT_FALSE(is_like_cube(model_graph(ModelProblem::laplacian2d5, width)));
    EXPECT_FALSE(is_like_cube(model_graph(ModelProblem::laplacian2d9, width)));
    EXPECT_FALSE(is_like_cube(shuffled(model_graph(ModelProblem::laplacian2d9, width))));
  }
  EXPECT_FALSE(is_like_cube(graph_of(grid_pattern(8, 8, 400))));
  EXPECT_FALSE(is_like_cube(graph_of(grid_pattern(5000, 1, 1))));
}

TEST(GridLikeness, TellsIrregularGraphsFromCubes) {
  EXPECT_FALSE(is_like_cube(model_graph(ModelProblem::circuit, 20000)));
  std::vector<Entry> star;
  std::vector<Entry> parts;  // pairs
  for (Index k = 1; k < 3000; ++k) {
    star.push_back({k, 0});
    if (k % 2 == 1) parts.push_back({k, k - 1});
  }
  EXPECT_FALSE(is_like_cube(graph_of(pattern_of(3000, Symmetry::symmetric, star))));
  EXPECT_FALSE(is_like_cube(graph_of(pattern_of(3000, Symmetry::symmetric, parts))));
}

TEST(GridLikeness, KnowsNarrowGraphsInAnyNumbering) {
  const Graph bar = graph_of(grid_pattern(8, 8, 400));
  for (const Graph& graph : {bar, shuffled(bar)}) {
    EXPECT_TRUE(is_narrow(graph, 100));
    EXPECT_FALSE(is_narrow(graph, 50));
  }
  EXPECT_FALSE(is_narrow(model_graph(ModelProblem::laplacian3d7, 16), 50));
  EXPECT_FALSE(is_narrow(graph_of(pattern_of(300, Symmetry::symmetric, {{1, 0}, {3, 2}})), 100)) << "several components";
}

TEST(GridLikeness, HasAnAnswerForGraphsWithoutEdges) {
  EXPECT_FALSE(is_like_cube(Graph{}));
  EXPECT_FALSE(is_like_cube(graph_of(pattern_of(5, Symmetry::symmetric, {}))));
}

}  // namespace
}  // namespace frond::test
