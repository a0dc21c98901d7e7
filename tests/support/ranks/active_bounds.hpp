// SPDX-License-Identifier: BSD-3-Clause
// Bounds the active memory of ranks from the tree alone, where tasks that have not begun may move.
#pragma once

#include <algorithm>
#include <vector>

#include "factorization/scheduling/task_graph.hpp"

namespace frond::test {

/// The bounds hold for a graph whose fronts are all of type 1, before any task has finished.
struct ActiveBounds {
  /// [rank] = the peak of its tasks in postorder. Blocks that it leaves for other ranks stay, and all blocks that its fronts take
  /// from others are there when their turn comes.
  std::vector<Count> sequential;
  /// [rank] = upper bound of the blocks that fronts of this rank take from elsewhere: those of children on other ranks, and of all
  /// children that may move.
  std::vector<Count> streams;
  /// Bound for all ranks together: owners have done some of their tasks from the beginning of their orders, others have done some
  /// from the ends, and each worker has one under way.
  Count sum = 0;
};

// Returns the bytes of the children's outputs: all of them, or those that come from other ranks in the plan.
inline Count children_bytes(const TaskGraph& graph, TaskId id, bool of_others) {
  Count bytes = 0;
  for (const TaskId child : graph.children(id)) {
    bytes += !of_others || graph.task(child).rank != graph.task(id).rank ? graph.task(child).output_bytes : 0;
  }
  return bytes;
}

// Traverses those tasks of a rank that may move; the outputs of their roots stay.
class MovablePeak {
 public:
  MovablePeak(const TaskGraph& graph, bool is_mirrored) : graph_(graph), is_mirrored_(is_mirrored) {}

  Count of(Rank rank) {
    now_ = peak_ = 0;
    for (TaskId i = 0; i < graph_.num_tasks(); ++i) {
      const TaskId id = is_mirrored_ ? graph_.num_tasks() - 1 - i : i;
      const TaskId parent = graph_.task(id).parent;
      if (graph_.task(id).rank == rank && graph_.task(id).may_move && (parent == kNoTask || !graph_.task(parent).may_move)) {
        visit(id);
      }
    }
    return peak_;
  }

 private:
  void visit(TaskId id) {
    std::vector<TaskId> children(graph_.children(id).begin(), graph_.children(id).end());
    if (is_mirrored_) {
      std::reverse(children.begin(), children.end());
    }
    for (const TaskId child : children) {
      visit(child);
    }
    peak_ = std::max(peak_, now_ + graph_.task(id).active_bytes());
    now_ += graph_.task(id).output_bytes - children_bytes(graph_, id, false);
  }

  const TaskGraph& graph_;
  bool is_mirrored_;
  Count now_ = 0;
  Count peak_ = 0;
};

inline Count sequential_peak(const TaskGraph& graph, Rank rank) {
  Count now = 0;
  Count peak = 0;
  for (TaskId id = 0; id < graph.num_tasks(); ++id) {
    if (const Task& task = graph.task(id); task.rank == rank) {
      const Count from_others = children_bytes(graph, id, true);
      peak = std::max(peak, now + from_others + task.active_bytes());
      now += task.output_bytes - (children_bytes(graph, id, false) - from_others);
    }
  }
  return peak;
}

// Returns the largest sum, over any path to a root, of the blocks of all siblings.
inline Count most_sibling_bytes(const TaskGraph& graph) {
  std::vector<Count> above(static_cast<std::size_t>(graph.num_tasks()), 0);
  Count most = 0;
  for (TaskId id = graph.num_tasks(); id-- > 0;) {
    const Task& task = graph.task(id);
    if (task.may_move && task.parent != kNoTask && graph.task(task.parent).may_move) {
      above[id] = above[task.parent] + children_bytes(graph, task.parent, false) - task.output_bytes;
      most = std::max(most, above[id]);
    }
  }
  return most;
}

[[nodiscard]] inline ActiveBounds active_bounds(const TaskGraph& graph, Rank num_ranks, Index num_workers) {
  ActiveBounds bounds{{}, std::vector<Count>(static_cast<std::size_t>(num_ranks), 0), 0};
  Count largest_unit = 0;
  for (TaskId id = 0; id < graph.num_tasks(); ++id) {
    const Task& task = graph.task(id);
    largest_unit = std::max(largest_unit, task.may_move ? task.unit.active_bytes : 0);
    bounds.sum += task.may_move ? 0 : task.active_bytes() + children_bytes(graph, id, false);
    for (const TaskId child : graph.children(id)) {
      const bool may_come = graph.task(child).rank != task.rank || graph.task(child).may_move;
      bounds.streams[task.rank] += may_come ? graph.task(child).output_bytes : 0;
    }
  }
  for (Rank rank = 0; rank < num_ranks; ++rank) {
    bounds.sequential.push_back(sequential_peak(graph, rank));
    bounds.sum += MovablePeak(graph, false).of(rank) + MovablePeak(graph, true).of(rank);
  }
  bounds.sum += Count{num_ranks} * num_workers * (most_sibling_bytes(graph) + largest_unit);
  return bounds;
}

}  // namespace frond::test
