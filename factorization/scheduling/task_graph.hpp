// SPDX-License-Identifier: BSD-3-Clause
// The assembly tree as units of work: leaf subtrees that one worker does alone, and single fronts above them.
#pragma once

#include <span>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "analysis/symbolic.hpp"
#include "analysis/tree/front_cost.hpp"
#include "frond/analysis_options.hpp"

namespace frond {

using TaskId = Index;
inline constexpr TaskId kNoTask = -1;

/// Whether a front was finished before the tasks are made, and where the rows are that its parent may still want.
enum class Finished : unsigned char {
  no,
  stored,  ///< in a store, from which every rank can read them
  held     ///< in the memory of the ranks that hold its parts
};
using FinishedNodes = std::vector<Finished>;  ///< [node]; empty: none is

/// Number of entries of the contribution block of a node as it is stored (symmetric: block columns of the lower triangle; LU:
/// square).
[[nodiscard]] Count contribution_entries(const AssemblyTree& tree, NodeId node, Method method);

/// A task that may move with all tasks below it, which come right before it.
struct MovableUnit {
  TaskId first = kNoTask;
  double flops = 0;
  Count active_bytes = 0;  ///< at the peak, where they are done one after the other
  Count factor_bytes = 0;

  [[nodiscard]] Count bytes() const { return active_bytes + factor_bytes; }
};

struct Task {
  NodeId node_begin = 0;  ///< nodes [node_begin, node_end), in this order
  NodeId node_end = 0;
  TaskId parent = kNoTask;               ///< the front that takes the contribution blocks
  Index num_children = 0;                ///< tasks whose parent this is
  Rank rank = 0;                         ///< who does it
  bool is_subtree = false;               ///< otherwise one front, split into jobs where it is large
  bool is_stored = false;                ///< a front that was finished beforehand, whose block is read from a store by its parent
  bool is_held = false;                  ///< a front that was finished beforehand, whose block waits in memory
  bool may_move = false;                 ///< another rank than `rank` may do it, with all below it
  NodeType type = NodeType::sequential;  ///< of a front; contribution rows of the other types are not with `rank`
  FrontCost cost;             ///< flops of all its nodes, and entries of their fronts, which assembly moves; without delayed pivots
  Count workspace_bytes = 0;  ///< subtree: for the contribution blocks inside it
  /// What it does not keep of a front, at its largest, and the contribution blocks that it has from fronts finished beforehand.
  Count passing_bytes = 0;
  Count output_bytes = 0;  ///< contribution blocks that it leaves for its parent, as far as `rank` holds them
  double own_flops = 0;    ///< without those of slaves and of the ranks of a grid
  MovableUnit unit = {};   ///< of a task that may move

  [[nodiscard]] Count active_bytes() const { return workspace_bytes + passing_bytes + output_bytes; }  ///< while it runs
};

// Where tasks may move, such a front is cut into jobs even on a rank with one worker, which looks for messages between two jobs.

/// Whether the task is a front large enough for several workers.
[[nodiscard]] bool is_split_into_jobs(const Task& task);

/// How the tree is cut into tasks.
struct TaskCut {
  bool tasks_move = false;        ///< subtrees, and what they are cut into, may be done by others than the mapping says
  double least_seconds = 100e-6;  ///< below so much work nothing is worth a task of its own
};

/// Tasks in postorder: a parent comes after its children, and running them in order is the traversal that the analysis chose.
///
/// A leaf subtree is a task when its cost is below a fixed share of the whole tree's (the layer of Geist & Ng 1989, but independent
/// of the number of workers, so that the schedule, not the decomposition, depends on it); neighbouring small subtrees of one parent
/// are bundled.
///
/// Over several ranks, tasks are cut inside the subtrees of the mapping, each task of one rank; every node above is a front of its
/// master.
///
/// Where tasks may move, those inside the subtrees of the mapping do, each with all below it. They are not direct whoever does
/// them: their parents hear from them where they are, and read what is at hand all the same (is_in_place() of a plan).
///
/// Nodes that are finished beforehand, with one all below it, are no tasks, but for those whose parents are not: these are stored
/// or held tasks, which nobody executes, and their parents are fronts, whatever they cost.
class TaskGraph {
 public:
  TaskGraph(const AssemblyTree& tree, Method method, Count scalar_bytes, KeptFactors kept = KeptFactors::all,
            const FinishedNodes& finished = {})
      : TaskGraph(tree, method, scalar_bytes, nullptr, kept, finished, {}) {}
  TaskGraph(const AssemblyTree& tree, Method method, Count scalar_bytes, const Mapping& mapping,
            KeptFactors kept = KeptFactors::all, const FinishedNodes& finished = {}, const TaskCut& cut = {})
      : TaskGraph(tree, method, scalar_bytes, &mapping, kept, finished, cut) {}

  [[nodiscard]] Index num_tasks() const { return static_cast<Index>(tasks_.size()); }
  [[nodiscard]] const Task& task(TaskId id) const { return tasks_[static_cast<std::size_t>(id)]; }
  /// The task that is this front alone; kNoTask for a node in a subtree.
  [[nodiscard]] TaskId task_of_front(NodeId node) const { return task_of_front_[static_cast<std::size_t>(node)]; }

  [[nodiscard]] std::span<const TaskId> children(TaskId id) const;  ///< increasing

  /// Whether the output stays where it is until the parent assembles it, as is known beforehand. Otherwise it goes there in streams
  /// of rows, unless the task may move and has not.
  [[nodiscard]] bool is_direct(TaskId id) const;
  /// Whether a front of type 1 has stored children, and no others whose rows come in streams: nobody else takes part in it.
  [[nodiscard]] bool has_stored_children_alone(TaskId id) const;

  [[nodiscard]] bool tasks_move() const { return tasks_move_; }  ///< any does, or might if there were some of the kind

  [[nodiscard]] const RootGrid& root_grid() const { return root_grid_; }  ///< as the mapping says

  [[nodiscard]] double total_flops() const { return total_flops_; }                 ///< of finished nodes, too
  [[nodiscard]] Count max_workspace_bytes() const { return max_workspace_bytes_; }  ///< over all subtrees

 private:
  TaskGraph(const AssemblyTree& tree, Method method, Count scalar_bytes, const Mapping* mapping, KeptFactors kept,
            const FinishedNodes& finished, const TaskCut& cut);

  void link_children();
  [[nodiscard]] MovableUnit unit_of(TaskId id, Count factor_bytes) const;

  std::vector<Task> tasks_;
  std::vector<std::size_t> children_offsets_;  // children of task t: children_[children_offsets_[t] .. children_offsets_[t+1])
  std::vector<TaskId> children_;
  std::vector<TaskId> task_of_front_;
  bool tasks_move_ = false;
  RootGrid root_grid_;
  double total_flops_ = 0;
  Count max_workspace_bytes_ = 0;
};

}  // namespace frond
