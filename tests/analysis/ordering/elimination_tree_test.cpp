// SPDX-License-Identifier: BSD-3-Clause
// Tests the elimination tree by hand and against naive elimination.
#include "analysis/ordering/elimination_tree.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/matrices/patterns.hpp"
#include "tests/support/oracles/reference.hpp"

namespace frond::test {
namespace {

std::vector<Index> natural_tree(const Pattern& pattern) {
  std::vector<Index> identity(pattern.order);
  std::iota(identity.begin(), identity.end(), 0);
  return elimination_tree(adjacency_graph(pattern.view()), make_permutation(identity));
}

TEST(EliminationTree, OfATridiagonalMatrixIsAPath) {
  EXPECT_EQ(natural_tree(grid_pattern(5, 1, 1)), (std::vector<Index>{1, 2, 3, 4, kNoParent}));
}

TEST(EliminationTree, OfAnArrowMatrixIsAStarOrAPath) {
  EXPECT_EQ(natural_tree(pattern_of(4, Symmetry::symmetric, {{3, 0}, {3, 1}, {3, 2}})), (std::vector<Index>{3, 3, 3, kNoParent}));
  EXPECT_EQ(natural_tree(pattern_of(4, Symmetry::symmetric, {{1, 0}, {2, 0}, {3, 0}})), (std::vector<Index>{1, 2, 3, kNoParent}));
}

TEST(EliminationTree, OfAnUnconnectedGraphIsAForest) {
  EXPECT_EQ(natural_tree(pattern_of(5, Symmetry::general, {{2, 0}, {0, 0}, {1, 3}})),
            (std::vector<Index>{2, 3, kNoParent, kNoParent, kNoParent}));
}

TEST(EliminationTree, HasTheParentsOfNaiveElimination) {
  std::uint64_t seed = 100;
  for (const Pattern& pattern : random_sample()) {
    const std::vector<Index> perm = random_permutation(pattern.order, seed++);
    EXPECT_EQ(elimination_tree(adjacency_graph(pattern.view()), make_permutation(perm)),
              NaiveFactor(pattern.view(), perm).parent());
  }
}

}  // namespace
}  // namespace frond::test
