// SPDX-License-Identifier: BSD-3-Clause
// Tests postordered trees, column counts and their sums against naive elimination, on plain and on weighted graphs.
#include "analysis/ordering/elimination.hpp"

#include <gtest/gtest.h>

#include "analysis/graph/compress.hpp"
#include "tests/support/matrices/patterns.hpp"
#include "tests/support/oracles/reference.hpp"

namespace frond::test {
namespace {

void expect_sums(const Elimination& elimination, const std::vector<Index>& counts) {
  double sum = 0;
  double sum_squares = 0;
  for (const double count : counts) {
    sum += count;
    sum_squares += count * count;
  }
  EXPECT_DOUBLE_EQ(elimination.sum_counts, sum);
  EXPECT_DOUBLE_EQ(elimination.sum_squares, sum_squares);
}

TEST(Eliminate, CountsTheColumnsOfNaiveElimination) {
  std::uint64_t seed = 200;
  for (const Pattern& pattern : random_sample()) {
    const std::vector<Index> perm = random_permutation(pattern.order, seed++);
    const Elimination elimination = eliminate(adjacency_graph(pattern.view()), perm);
    const NaiveFactor factor(pattern.view(), elimination.perm);
    EXPECT_EQ(elimination.parent, factor.parent());
    EXPECT_EQ(elimination.counts, factor.counts());
    expect_sums(elimination, NaiveFactor(pattern.view(), perm).counts());  // the postorder changes no sum
  }
}

TEST(Eliminate, CountsTheFirstVariableOfEveryWeightedVertex) {
  std::uint64_t seed = 300;
  for (const Pattern& pattern : random_sample()) {
    const CompressedGraph compressed = compress(adjacency_graph(pattern.view()));
    const Elimination elimination = eliminate(compressed.graph, random_permutation(compressed.graph.num_vertices(), seed++));
    const std::vector<Index> counts = NaiveFactor(pattern.view(), compressed.expand(elimination.perm)).counts();
    Index variable = 0;
    for (Index vertex = 0; vertex < compressed.graph.num_vertices(); ++vertex) {
      EXPECT_EQ(elimination.counts[vertex], counts[variable]);
      variable += elimination.graph.weights[vertex];
    }
    expect_sums(elimination, counts);
  }
}

TEST(Eliminate, NumbersVerticesInPostorder) {
  const Elimination elimination = eliminate(adjacency_graph(grid_pattern(7, 6, 2).view()), random_permutation(84, 1));
  std::vector<Index> subtree_size(84, 1);
  for (Index vertex = 0; vertex < 84; ++vertex) {
    if (subtree_size[vertex] > 1) {
      EXPECT_EQ(elimination.parent[vertex - 1], vertex);
    }
    if (elimination.parent[vertex] != kNoParent) subtree_size[elimination.parent[vertex]] += subtree_size[vertex];
  }
}

TEST(Eliminate, CountsBeyond32Bits) {
  Graph dense;  // one vertex of 100000 variables: a full matrix
  dense.offsets = {0, 0};
  dense.weights = {100000};
  const Elimination elimination = eliminate(dense, {0});
  EXPECT_EQ(elimination.counts, (std::vector<Index>{100000}));
  EXPECT_DOUBLE_EQ(elimination.sum_counts, 5000050000.0);
  EXPECT_DOUBLE_EQ(elimination.sum_squares, 333338333350000.0);
}

}  // namespace
}  // namespace frond::test
