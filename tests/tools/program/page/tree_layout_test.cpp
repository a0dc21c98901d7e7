// SPDX-License-Identifier: BSD-3-Clause
// Tests trees that can be checked by hand.
#include "tools/program/page/tree_layout.hpp"

#include <gtest/gtest.h>

#include <map>

#include "tests/support/programs/tag_error.hpp"
#include "tools/program/page/tree_chart.hpp"

namespace frond::testing {
namespace {

TreeMark node(long number, long parent, TreeMarkKind kind, double flops) { return {number, parent, kind, number, 100, 50, flops}; }

// Node 9 is the root, with children 7 and 8; 7 is a subtree that contains 1; 2 ... 6 are below 8.
std::vector<TreeMark> small_tree() {
  std::vector<TreeMark> tree = {node(9, -1, TreeMarkKind::type3, 1000), node(7, 9, TreeMarkKind::subtree, 8),
                                node(8, 9, TreeMarkKind::type2, 125), node(1, 7, TreeMarkKind::subtree, 1)};
  for (long number = 2; number <= 6; ++number) {
    tree.push_back(node(number, 8, TreeMarkKind::type1, static_cast<double>(number)));
  }
  return tree;
}

TEST(TreeLayout, PlacesNodesAboveTheirChildren) {
  const TreeLayout layout = lay_out_tree(small_tree(), 100, 800);
  ASSERT_EQ(layout.nodes.size(), 8u);  // the inside of the subtree is left out
  EXPECT_EQ(layout.num_hidden, 0u);
  for (const PlacedNode& placed : layout.nodes) {
    const PlacedNode& parent = layout.nodes[placed.parent];
    EXPECT_GE(placed.x - placed.slot_width / 2, parent.x - parent.slot_width / 2 - 1e-9);
    EXPECT_LE(placed.x + placed.slot_width / 2, parent.x + parent.slot_width / 2 + 1e-9);
    EXPECT_TRUE(placed.level == 0 || placed.y - placed.radius > parent.y + parent.radius);
    EXPECT_LE(placed.y + placed.radius, layout.height);
  }
  EXPECT_DOUBLE_EQ(layout.nodes[0].radius / layout.nodes[2].radius, 2);  // cube root of 1000 / 125
}

TEST(TreeLayout, LeavesNodesOfALevelApart) {
  std::vector<TreeMark> tree = {node(0, -1, TreeMarkKind::type2, 1)};
  for (long number = 1; number < 250; ++number) {
    tree.push_back(node(number, (number - 1) / 3, TreeMarkKind::type2, 1));
  }
  const TreeLayout layout = lay_out_tree(tree, 300, 1000);
  std::map<std::size_t, double> ends;
  for (const PlacedNode& placed : layout.nodes) {
    EXPECT_GE(placed.x - placed.slot_width / 2, ends[placed.level] - 1e-9);
    EXPECT_LE(2 * placed.radius, placed.slot_width);
    ends[placed.level] = placed.x + placed.slot_width / 2;
    EXPECT_LE(ends[placed.level], 1000 + 1e-9);
  }
}

TEST(TreeLayout, KeepsTheUpperLevelsAndTheCostliestBelow) {
  const TreeLayout layout = lay_out_tree(small_tree(), 5, 800);
  ASSERT_EQ(layout.nodes.size(), 5u);
  EXPECT_EQ(layout.nodes[3].node.node, 5);
  EXPECT_EQ(layout.nodes[4].node.node, 6);
  EXPECT_EQ(layout.nodes[2].num_hidden, 3u);
  EXPECT_EQ(layout.nodes[2].num_children, 2u);
  EXPECT_EQ(layout.num_hidden, 3u);
}

TEST(TreeLayout, EndsLongChains) {
  std::vector<TreeMark> tree;
  for (long number = 0; number < 1000; ++number) {
    tree.push_back(node(number, number - 1, TreeMarkKind::type1, 1));
  }
  const TreeLayout layout = lay_out_tree(tree, 300, 800);
  EXPECT_EQ(layout.nodes.size(), 40u);
  EXPECT_EQ(layout.num_hidden, 960u);
  EXPECT_LT(layout.height, 4000);
}

TEST(TreeLayout, PlacesForests) {
  const std::vector<TreeMark> forest = {node(3, -1, TreeMarkKind::type1, 0), node(4, 17, TreeMarkKind::type1, 0)};
  const TreeLayout layout = lay_out_tree(forest, 300, 800);
  ASSERT_EQ(layout.nodes.size(), 2u);
  EXPECT_EQ(layout.nodes[1].level, 0u);
  EXPECT_LT(layout.nodes[0].x, layout.nodes[1].x);
  EXPECT_TRUE(lay_out_tree({}, 300, 800).nodes.empty());
}

TEST(TreeChart, HasAMarkAndAnEdgeForEachNode) {
  const std::string chart = tree_chart(small_tree());
  EXPECT_EQ(testing::tag_error(chart), "");
  EXPECT_EQ(count_of(chart, "<g class=\"node "), 8);
  EXPECT_EQ(count_of(chart, "C"), 7);
  EXPECT_EQ(count_of(chart, "class=\"stub\""), 0);
  EXPECT_EQ(count_of(chart, "not drawn"), 0);
  EXPECT_EQ(count_of(tree_legend(small_tree()), "type 1: one rank <b>5</b>"), 1);
}

}  // namespace
}  // namespace frond::testing
