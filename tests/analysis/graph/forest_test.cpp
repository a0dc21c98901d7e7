// SPDX-License-Identifier: BSD-3-Clause
// Tests children lists and postorders on hand-written and random forests.
#include "analysis/graph/forest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/support/matrices/patterns.hpp"

namespace frond::test {
namespace {

TEST(Forest, ListsChildrenAndRoots) {
  const Forest forest = make_forest(std::vector<Index>{3, 5, 3, 5, kNoParent, kNoParent});
  EXPECT_EQ(forest.roots, (std::vector<Index>{4, 5}));
  EXPECT_EQ(forest.children.offsets, (std::vector<Index>{0, 0, 0, 0, 2, 2, 4}));
  EXPECT_EQ(forest.children.members, (std::vector<Index>{0, 2, 1, 3}));
}

TEST(Postorder, VisitsSiblingsInTheOrderOfTheLists) {
  Forest forest = make_forest(std::vector<Index>{3, 5, 3, 5, kNoParent, kNoParent});
  EXPECT_EQ(postorder(forest), (std::vector<Index>{4, 1, 0, 2, 3, 5}));
  std::swap(forest.children.of(5)[0], forest.children.of(5)[1]);
  EXPECT_EQ(postorder(forest), (std::vector<Index>{4, 0, 2, 3, 1, 5}));
}

TEST(Postorder, OfNothingIsEmpty) { EXPECT_TRUE(postorder(make_forest({})).empty()); }

TEST(Postorder, PutsEverySubtreeRightBeforeItsRoot) {
  std::mt19937_64 random(5);
  for (int repetition = 0; repetition < 20; ++repetition) {
    const Index num_nodes = 40;
    std::vector<Index> parent(num_nodes, kNoParent);
    for (Index node = 0; node + 1 < num_nodes; ++node) {
      const Index candidate = node + 1 + static_cast<Index>(random() % 12);
      if (candidate < num_nodes) parent[node] = candidate;
    }
    const std::vector<Index> order = postorder(make_forest(parent));
    std::vector<Index> place(num_nodes, -1);
    for (Index k = 0; k < num_nodes; ++k) place[order[k]] = k;
    std::vector<Index> subtree_size(num_nodes, 1);
    std::vector<Index> first(place);
    for (Index node = 0; node < num_nodes; ++node) {
      ASSERT_GE(place[node], 0);
      if (parent[node] == kNoParent) continue;
      EXPECT_LT(place[node], place[parent[node]]);
      subtree_size[parent[node]] += subtree_size[node];
      first[parent[node]] = std::min(first[parent[node]], first[node]);
    }
    for (Index node = 0; node < num_nodes; ++node) EXPECT_EQ(first[node], place[node] - subtree_size[node] + 1);
  }
}

}  // namespace
}  // namespace frond::test
