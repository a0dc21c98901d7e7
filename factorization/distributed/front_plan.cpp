// SPDX-License-Identifier: BSD-3-Clause
// Computes sizes that follow from plans.
#include "factorization/distributed/front_plan.hpp"

#include <algorithm>
#include <iterator>

namespace frond {
namespace {

Index num_delayed_in(const FrontPlan& plan) {
  Index num_delayed = 0;
  for (const ChildOutput& child : plan.children) {
    for (const DelayedVariables& delayed : child.announcement.tops) {
      num_delayed += static_cast<Index>(delayed.rows.size());
    }
  }
  return num_delayed;
}

}  // namespace

bool is_in_place(const TaskGraph& graph, Rank master, const ChildOutput& child) {
  const Task& task = graph.task(child.task);
  if (!task.may_move || task.parent == kNoTask) {
    return graph.is_direct(child.task);
  }
  return graph.task(task.parent).type == NodeType::sequential && master == child.master;
}

std::vector<NodeId> task_tops(const AssemblyTree& tree, const Task& task) {
  std::vector<NodeId> tops;
  for (NodeId node = task.node_begin; node < task.node_end; ++node) {
    if (tree.parent(node) == kNoParent || tree.parent(node) >= task.node_end) {
      tops.push_back(node);
    }
  }
  return tops;
}

void for_each_row_map(const FrontPlan& plan, const std::function<void(const ChildOutput& child, const RowMap& map)>& visit) {
  RowMap map;
  map.master = plan.master;
  map.shares = plan.shares;
  map.num_delayed_in = num_delayed_in(plan);
  Index begin = 0;
  for (const ChildOutput& child : plan.children) {
    map.delayed_begin.clear();
    map.num_delayed.clear();
    for (const DelayedVariables& delayed : child.announcement.tops) {
      const auto num_delayed = static_cast<Index>(delayed.rows.size());
      map.delayed_begin.push_back(begin);
      map.num_delayed.push_back(num_delayed);
      begin += num_delayed;
    }
    visit(child, map);
  }
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
  size.num_delayed_in = num_delayed_in(plan);
  size.num_fully_summed = tree.num_fully_summed(node) + size.num_delayed_in;
  size.order = tree.front_order(node) + size.num_delayed_in;
  size.num_schur_rows = tree.num_schur_rows(node);
  return size;
}

}  // namespace frond
