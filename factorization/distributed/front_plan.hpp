// SPDX-License-Identifier: BSD-3-Clause
// The structure of a front that is decided at run time: which delayed variables come from its children, and which ranks hold which
// rows. All participants know it before any number moves.
#pragma once

#include <functional>
#include <vector>

#include "factorization/distributed/rank_factors.hpp"
#include "factorization/scheduling/front_part.hpp"
#include "factorization/scheduling/task_graph.hpp"

namespace frond {

/// Fully summed variables that found no pivot, in the order in which their rows and columns lie in the front. The symmetric methods
/// list rows only, their columns are the same.
struct DelayedVariables {
  std::vector<Index> rows;
  std::vector<Index> columns;

  friend bool operator==(const DelayedVariables&, const DelayedVariables&) = default;
};

/// Returns the delayed variables of an eliminated front.
template <Scalar S>
[[nodiscard]] DelayedVariables delayed_variables(const FrontFactor<S>& front, Method method) {
  DelayedVariables delayed;
  delayed.rows.assign(front.row_variables + front.num_eliminated, front.row_variables + front.num_fully_summed);
  if (method == Method::lu) {
    delayed.columns.assign(front.col_variables + front.num_eliminated, front.col_variables + front.num_fully_summed);
  }
  return delayed;
}

/// What the parent's master must know of a task before it can lay out its front.
struct Announcement {
  std::vector<DelayedVariables> tops;  ///< one for each of task_tops()
  std::vector<RowShare> shares;        ///< of a row-distributed front; empty: its master holds all rows

  friend bool operator==(const Announcement&, const Announcement&) = default;
};

struct ChildOutput {
  TaskId task = kNoTask;
  Rank master = 0;  ///< rank that has done it: that of the task, unless it may move
  Announcement announcement;

  friend bool operator==(const ChildOutput&, const ChildOutput&) = default;
};

/// The layout of a front.
struct FrontPlan {
  TaskId task = kNoTask;
  Rank master = 0;                    ///< rank that does it: that of the task, unless it may move
  std::vector<RowShare> shares;       ///< of its contribution rows; empty: the master holds them
  std::vector<ChildOutput> children;  ///< by increasing task

  friend bool operator==(const FrontPlan&, const FrontPlan&) = default;
};

/// True if the master of the plan's front reads the output of this child in place.
[[nodiscard]] bool is_in_place(const TaskGraph& graph, Rank master, const ChildOutput& child);

/// What ranks that hold rows of a child must know of its parent's layout.
struct RowMap {
  Rank master = 0;                   ///< of the parent, as in its plan
  std::vector<RowShare> shares;      ///< of the parent
  Index num_delayed_in = 0;          ///< of the parent
  std::vector<Index> delayed_begin;  ///< [k] = position in the parent's front of the first variable that the child's top k delays
  std::vector<Index> num_delayed;    ///< [k] = number of these variables

  friend bool operator==(const RowMap&, const RowMap&) = default;
};

/// Calls visit(child, map) for each of the plan's children in their order, all in one pass: a front may have very many.
void for_each_row_map(const FrontPlan& plan, const std::function<void(const ChildOutput& child, const RowMap& map)>& visit);

/// The nodes of the task whose parents lie outside, increasing: their contribution blocks are the task's output.
[[nodiscard]] std::vector<NodeId> task_tops(const AssemblyTree& tree, const Task& task);

/// The ranks of the shares, in their order.
[[nodiscard]] std::vector<Rank> ranks_of(const std::vector<RowShare>& shares);

/// Returns the share of a rank that has one.
[[nodiscard]] const RowShare& share_of(const std::vector<RowShare>& shares, Rank rank);

/// Returns the sizes of the plan's front, including the delayed variables of its children.
[[nodiscard]] FrontSize front_size(const AssemblyTree& tree, const TaskGraph& graph, const FrontPlan& plan);

}  // namespace frond
