// SPDX-License-Identifier: BSD-3-Clause
// Tests task graphs: every node once, in postorder, with costs and bytes added up naively.
#include "factorization/scheduling/task_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/matrices/random_tree.hpp"

namespace frond::test {
namespace {

Count rounded_cb_bytes(const AssemblyTree& tree, NodeId node) {
  return (contribution_entries(tree, node, Method::lu) * static_cast<Count>(sizeof(double)) + 63) / 64 * 64;
}

// Returns the largest sum of contribution blocks alive inside a subtree, for nodes visited in order; each parent takes its own
// block before it frees its children's.
Count naive_workspace(const AssemblyTree& tree, const Task& task) {
  std::vector<NodeId> alive;
  Count peak = 0;
  for (NodeId node = task.node_begin; node < task.node_end; ++node) {
    if (tree.parent(node) != kNoParent && tree.parent(node) < task.node_end) {
      alive.push_back(node);
    }
    Count bytes = 0;
    for (const NodeId held : alive) {
      bytes += rounded_cb_bytes(tree, held);
    }
    peak = std::max(peak, bytes);
    std::erase_if(alive, [&](NodeId held) { return tree.parent(held) == node; });
  }
  return peak;
}

TEST(TaskGraph, CoversTheTreeInPostorder) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const AssemblyTree tree = random_tree(80, seed % 2 == 0 ? 10 : 150, seed);
    const TaskGraph graph(tree, Method::lu, sizeof(double));
    NodeId next_node = 0;
    double flops = 0;
    std::vector<Index> num_children(static_cast<std::size_t>(graph.num_tasks()));
    for (TaskId id = 0; id < graph.num_tasks(); ++id) {
      const Task& task = graph.task(id);
      EXPECT_EQ(task.node_begin, next_node);
      next_node = task.node_end;
      flops += task.cost.flops;
      Count output = 0;
      for (NodeId node = task.node_begin; node < task.node_end; ++node) {
        const NodeId parent = tree.parent(node);
        if (parent == kNoParent || parent >= task.node_end) {
          output += rounded_cb_bytes(tree, node);
          if (parent != kNoParent) {  // the parent of the task assembles it, and is a single front
            ASSERT_NE(task.parent, kNoTask);
            EXPECT_EQ(graph.task(task.parent).node_begin, parent);
            EXPECT_FALSE(graph.task(task.parent).is_subtree);
          }
        }
      }
      EXPECT_EQ(task.output_bytes, output);
      EXPECT_EQ(task.workspace_bytes, task.is_subtree ? naive_workspace(tree, task) : 0);
      EXPECT_TRUE(task.is_subtree || task.node_end == task.node_begin + 1);
      EXPECT_TRUE(!task.is_subtree || task.node_begin == tree.subtree_begin(task.node_begin));
      if (task.parent != kNoTask) {
        EXPECT_GT(task.parent, id);
        ++num_children[task.parent];
      }
    }
    EXPECT_EQ(next_node, tree.num_nodes());
    for (TaskId id = 0; id < graph.num_tasks(); ++id) {
      EXPECT_EQ(graph.task(id).num_children, num_children[id]);
    }
    EXPECT_NEAR(flops, graph.total_flops(), 1e-9 * flops);
  }
}

TEST(TaskGraph, CutsLargeTreesIntoManyTasksAndTinyOnesNot) {
  EXPECT_GT(TaskGraph(random_tree(100, 300, 1), Method::lu, 8).num_tasks(), 20);
  const AssemblyTree tiny({kNoParent}, {0, 3}, {0, 0}, {});
  const TaskGraph graph(tiny, Method::lu, 8);
  ASSERT_EQ(graph.num_tasks(), 1);
  EXPECT_TRUE(graph.task(0).is_subtree);
}

}  // namespace
}  // namespace frond::test
