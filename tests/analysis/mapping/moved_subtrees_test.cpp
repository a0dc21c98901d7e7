// SPDX-License-Identifier: BSD-3-Clause
// Tests mappings after parts of leaf subtrees have moved: masters are the new ones, and everything else is unchanged.
#include "analysis/mapping/moved_subtrees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/support/matrices/trees.hpp"

namespace frond::test {
namespace {

// Checks what Mapping promises of its parts.
void expect_sound(const AssemblyTree& tree, const Mapping& mapping) {
  for (const Subtree& subtree : mapping.subtrees()) {
    ASSERT_EQ(subtree.node_begin, tree.subtree_begin(subtree.node_end - 1));
  }
  for (const UpperNode& upper : mapping.upper_nodes()) {
    const NodeId parent = tree.parent(upper.node);
    ASSERT_TRUE(parent == kNoParent || !mapping.is_in_subtree(parent));
    const auto candidates = mapping.candidates(upper.node);
    ASSERT_TRUE(std::binary_search(candidates.begin(), candidates.end(), upper.master));
  }
}

// Draws subtrees inside those of the mapping, some of them neighbours, and their new ranks.
std::vector<Subtree> draw_moved(const AssemblyTree& tree, const Mapping& mapping, std::mt19937& random) {
  std::vector<Subtree> moved;
  for (NodeId top = 0; top < tree.num_nodes(); ++top) {
    const NodeId begin = tree.subtree_begin(top);
    if (mapping.is_in_subtree(top) && random() % 4 == 0 && (moved.empty() || moved.back().node_end <= begin)) {
      const auto rank = static_cast<Rank>(random() % static_cast<std::uint32_t>(mapping.num_ranks()));
      if (!moved.empty() && moved.back().node_end == begin && tree.parent(moved.back().node_end - 1) == tree.parent(top)) {
        moved.back().node_end = top + 1;
      } else {
        moved.push_back({begin, top + 1, rank});
      }
    }
  }
  return moved;
}

TEST(MovedSubtrees, AreWhereTheyAreSaidAndAllElseIsWhereItWas) {
  std::mt19937 random(7);
  Index num_moved = 0;
  for (const AssemblyTree& tree : sample_of_trees()) {
    for (const Rank num_ranks : {2, 5, 16}) {
      const Mapping before = map_tree(tree, Method::ldlt, small_fronts(num_ranks));
      const std::vector<Subtree> moved = draw_moved(tree, before, random);
      num_moved += static_cast<Index>(moved.size());
      const Mapping after = with_moved(tree, before, moved);
      expect_sound(tree, after);
      std::vector<Rank> masters;
      for (NodeId node = 0; node < tree.num_nodes(); ++node) {
        masters.push_back(before.master(node));
        ASSERT_EQ(after.type(node), before.type(node));
      }
      for (const Subtree& subtree : moved) {
        std::fill(masters.begin() + subtree.node_begin, masters.begin() + subtree.node_end, subtree.rank);
      }
      for (NodeId node = 0; node < tree.num_nodes(); ++node) {
        ASSERT_EQ(after.master(node), masters[node]);
      }
      const Mapping again = with_moved(tree, after, moved);
      expect_sound(tree, again);
      for (NodeId node = 0; node < tree.num_nodes(); ++node) {
        ASSERT_EQ(again.master(node), masters[node]);
      }
    }
  }
  EXPECT_GT(num_moved, 100);
}

TEST(MovedSubtrees, ChangeNothingWhereNothingHasMoved) {
  const AssemblyTree tree = star(20, 3);
  const Mapping before = map_tree(tree, Method::lu, small_fronts(4));
  const Mapping after = with_moved(tree, before, {});
  EXPECT_EQ(after.subtrees().size(), before.subtrees().size());
  EXPECT_EQ(after.upper_nodes().size(), before.upper_nodes().size());
}

TEST(MovedSubtrees, AreListedByWhoHasTakenThem) {
  const std::vector<Subtree> moved = moved_subtrees({{3, 5}, {}, {0, 1, 7, 9}});
  ASSERT_EQ(moved.size(), 3U);
  EXPECT_EQ(moved[0].rank, 0);
  EXPECT_EQ(moved[1].rank, 2);
  EXPECT_EQ(moved[2].node_begin, 7);
  EXPECT_EQ(moved[2].node_end, 9);
}

}  // namespace
}  // namespace frond::test
