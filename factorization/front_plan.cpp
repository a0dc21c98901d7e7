// SPDX-License-Identifier: BSD-3-Clause
// Sizes that follow from plans.
#include "factorization/front_plan.hpp"

namespace frond {

std::vector<NodeId> task_tops(const AssemblyTree& tree, const Task& task) {
  std::vector<NodeId> tops;
  for (NodeId node = task.node_begin; node < task.node_end; ++node) {
    if (tree.parent(node) == kNoParent || tree.parent(node) >= task.node_end) {
      tops.push_back(node);
    }
  }
  return tops;
}

RowMap row_map(const FrontPlan& plan, TaskId child) {
  RowMap map;
  map.shares = plan.shares;
  for (const ChildOutput& one : plan.children) {
    for (const DelayedVariables& delayed : one.announcement.tops) {
      const auto num_delayed = static_cast<Index>(delayed.rows.size());
      if (one.task == child) {
        map.delayed_begin.push_back(map.num_delayed_in);
        map.num_delayed.push_back(num_delayed);
      }
      map.num_delayed_in += num_delayed;
    }
  }
  return map;
}

FrontSize front_size(const AssemblyTree& tree, const TaskGraph& graph, const FrontPlan& plan) {
  const NodeId node = graph.task(plan.task).node_begin;
  FrontSize size;
  for (const ChildOutput& child : plan.children) {
    for (const DelayedVariables& delayed : child.announcement.tops) {
      size.num_delayed_in += static_cast<Index>(delayed.rows.size());
    }
  }
  size.num_fully_summed = tree.num_fully_summed(node) + size.num_delayed_in;
  size.order = tree.front_order(node) + size.num_delayed_in;
  return size;
}

}  // namespace frond
