// SPDX-License-Identifier: BSD-3-Clause
// Sizes that follow from plans.
#include "factorization/front_plan.hpp"

#include <algorithm>
#include <iterator>

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

std::vector<Rank> ranks_of(const std::vector<RowShare>& shares) {
  std::vector<Rank> ranks;
  std::transform(shares.begin(), shares.end(), std::back_inserter(ranks), [](const RowShare& share) { return share.rank; });
  return ranks;
}

const RowShare& share_of(const std::vector<RowShare>& shares, Rank rank) {
  return *std::find_if(shares.begin(), shares.end(), [rank](const RowShare& share) { return share.rank == rank; });
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
  size.num_schur_rows = tree.num_schur_rows(node);
  return size;
}

}  // namespace frond
