// SPDX-License-Identifier: BSD-3-Clause
// Tests the assembly tree's derived arrays, and its rejection of inconsistent arrays.
#include "analysis/tree/assembly_tree.hpp"

#include <gtest/gtest.h>

#include "frond/error.hpp"

namespace frond::test {
namespace {

template <class T>
std::vector<T> as_vector(std::span<const T> values) {
  return {values.begin(), values.end()};
}

/// Two subtrees below node 3, and a separate root 4:   0 -> 2 -> 3 <- 1
struct Arrays {
  std::vector<NodeId> parent = {1, 3, 3, kNoParent, kNoParent};
  std::vector<Index> variable_offsets = {0, 2, 3, 5, 9, 10};
  std::vector<Count> cb_offsets = {0, 3, 5, 7, 7, 7};
  std::vector<Index> cb_rows = {2, 5, 8, 5, 8, 6, 7};

  [[nodiscard]] AssemblyTree tree() const { return {parent, variable_offsets, cb_offsets, cb_rows}; }
};

TEST(AssemblyTree, DerivesChildrenSubtreesAndDepths) {
  const AssemblyTree tree = Arrays().tree();
  EXPECT_EQ(tree.num_nodes(), 5);
  EXPECT_EQ(tree.num_variables(), 10);
  EXPECT_EQ(as_vector(tree.roots()), (std::vector<NodeId>{3, 4}));
  EXPECT_EQ(as_vector(tree.children(3)), (std::vector<NodeId>{1, 2}));
  EXPECT_EQ(as_vector(tree.children(1)), (std::vector<NodeId>{0}));
  EXPECT_TRUE(tree.children(4).empty());
  const std::vector<NodeId> begins = {0, 0, 2, 0, 4};
  const std::vector<Index> depths = {2, 1, 1, 0, 0};
  for (NodeId node = 0; node < 5; ++node) {
    EXPECT_EQ(tree.subtree_begin(node), begins[node]);
    EXPECT_EQ(tree.depth(node), depths[node]);
  }
}

TEST(AssemblyTree, DerivesRelativeIndices) {
  const AssemblyTree tree = Arrays().tree();
  EXPECT_EQ(as_vector(tree.relative_indices(0)), (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(as_vector(tree.relative_indices(1)), (std::vector<Index>{0, 3}));
  EXPECT_EQ(as_vector(tree.relative_indices(2)), (std::vector<Index>{1, 2}));
  EXPECT_TRUE(tree.relative_indices(3).empty());
}

TEST(AssemblyTree, HasTheFrontsOfTheHeader) {
  // the example of the header: fully summed {4, 5}, rows {8, 11, 12}, below {8, 9} with {11, 12, 20}
  const AssemblyTree tree({1, 2, kNoParent}, {0, 6, 10, 21}, {0, 3, 6, 6}, {8, 11, 12, 11, 12, 20});
  EXPECT_EQ(tree.front_order(0), 9);
  EXPECT_EQ(as_vector(tree.relative_indices(0)), (std::vector<Index>{2, 4, 5}));
}

TEST(AssemblyTree, MayBeEmpty) {
  const AssemblyTree tree({}, {0}, {0}, {});
  EXPECT_EQ(tree.num_nodes(), 0);
  EXPECT_EQ(AssemblyTree().num_variables(), 0);
}

TEST(AssemblyTree, RefusesArraysThatContradictEachOther) {
  const auto refuses = [](auto change) {
    Arrays arrays;
    change(arrays);
    EXPECT_THROW((void)arrays.tree(), InternalError);
  };
  refuses([](Arrays& a) { a.variable_offsets.pop_back(); });
  refuses([](Arrays& a) { a.cb_offsets[0] = 1; });
  refuses([](Arrays& a) { a.cb_rows.push_back(9); });
  refuses([](Arrays& a) { a.parent[1] = 1; });
  refuses([](Arrays& a) { a.parent[1] = 5; });
  refuses([](Arrays& a) { a.variable_offsets[1] = 0; });  // a node without pivots
  refuses([](Arrays& a) { a.cb_offsets[1] = 6; });        // decreasing offsets
  refuses([](Arrays& a) { a.parent[4] = kNoParent, a.cb_offsets[4] = 6; });
  refuses([](Arrays& a) { a.parent[0] = 3, a.parent[2] = kNoParent; });
  refuses([](Arrays& a) { a.parent[0] = 2; });                        // not a postorder
  refuses([](Arrays& a) { std::swap(a.cb_rows[1], a.cb_rows[2]); });  // rows do not increase
  refuses([](Arrays& a) { a.cb_rows[0] = 0; });                       // a row of its own
  refuses([](Arrays& a) { a.cb_rows[2] = 7; });                       // a row that its parent lacks
  refuses([](Arrays& a) { a.cb_rows[2] = 10; });                      // variable out of range
}

TEST(AssemblyTree, KnowsItsSize) { EXPECT_GT(Arrays().tree().memory_bytes(), AssemblyTree({}, {0}, {0}, {}).memory_bytes()); }

}  // namespace
}  // namespace frond::test
