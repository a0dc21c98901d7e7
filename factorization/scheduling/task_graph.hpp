// SPDX-License-Identifier: BSD-3-Clause
// The assembly tree as units of work: leaf subtrees that one worker does alone, and single fronts above them.
#pragma once

#include <span>
#include <vector>

#include "analysis/graph/groups.hpp"
#include "analysis/mapping/mapping.hpp"
#include "analysis/symbolic.hpp"
#include "analysis/tree/front_cost.hpp"
#include "frond/analysis_options.hpp"

namespace frond {

using TaskId = Index;
inline constexpr TaskId kNoTask = -1;

/// Says whether a front was finished before the tasks are made, and where its rows are, which its parent may still need.
enum class Finished : unsigned char {
  no,
  stored,  ///< in a store, from which every rank can read them
  held     ///< in the memory of the ranks that hold its parts
};
using FinishedNodes = std::vector<Finished>;  ///< [node]; empty: none is finished

/// Number of entries of the contribution block of a node as it is stored (symmetric: block columns of the lower triangle; LU:
/// square).
[[nodiscard]] Count contribution_entries(const AssemblyTree& tree, NodeId node, Method method);

/// A task that may move with all tasks below it, which immediately precede it.
struct MovableUnit {
  TaskId first = kNoTask;
  double flops = 0;
  Count active_bytes = 0;  ///< at the peak, when they are done one after the other
  Count factor_bytes = 0;

  [[nodiscard]] Count bytes() const { return active_bytes + factor_bytes; }
};

struct Task {
  NodeId node_begin = 0;  ///< nodes [node_begin, node_end), in this order
  NodeId node_end = 0;
  TaskId parent = kNoTask;               ///< the front that takes the contribution blocks
  Index num_children = 0;                ///< tasks whose parent this is
  Rank rank = 0;                         ///< the rank that does it
  bool is_subtree = false;               ///< otherwise one front, split into jobs where it is large
  bool is_stored = false;                ///< a front that was finished beforehand, whose block is read from a store by its parent
  bool is_held = false;                  ///< a front that was finished beforehand, whose block waits in memory
  bool may_move = false;                 ///< a rank other than `rank` may do it, with all tasks below it
  NodeType type = NodeType::sequential;  ///< of a front; contribution rows of the other types are not with `rank`
  FrontCost cost;             ///< flops of all its nodes, and entries of their fronts, which assembly moves; without delayed pivots
  Count workspace_bytes = 0;  ///< subtree: for the contribution blocks inside it
  /// The largest part of a front that is not kept, and the contribution blocks of fronts that were finished beforehand.
  Count passing_bytes = 0;
  Count output_bytes = 0;  ///< contribution blocks that it leaves for its parent, as far as `rank` holds them
  double own_flops = 0;    ///< without those of slaves and of the ranks of a grid
  MovableUnit unit = {};   ///< of a task that may move

  [[nodiscard]] Count active_bytes() const { return workspace_bytes + passing_bytes + output_bytes; }  ///< while it runs
};

/// True if the task is a front large enough for several workers.
[[nodiscard]] bool is_split_into_jobs(const Task& task);

/// How the tree is cut into tasks.
struct TaskCut {
  bool tasks_move = false;        ///< subtrees, and the parts they are cut into, may be done by ranks other than the mapping says
  double least_seconds = 100e-6;  ///< less work than this is not worth a task of its own
};

struct TaskSource;

/// Tasks in postorder: a parent comes after its children, and running them in order is the traversal that the analysis chose.
///
/// A leaf subtree is a task when its cost is below a fixed share of the whole tree's (the layer of Geist & Ng 1989, but independent
/// of the number of workers, so that the schedule, not the decomposition, depends on it); neighbouring small subtrees of one parent
/// are bundled.
///
/// Over several ranks, tasks are cut inside the subtrees of the mapping, each task of one rank; every node above is a front of its
/// master.
///
/// Where tasks may move, those inside the subtrees of the mapping may, each with all tasks below it. They are not direct, whichever
/// rank does them: they report to their parents where they are, which still read local output in place (is_in_place() of a plan).
///
/// Nodes that were finished beforehand (with a node all below it) are not tasks, except those whose parents were not: these are
/// stored or held tasks, which are never executed, and their parents are fronts, whatever they cost.
class TaskGraph {
 public:
  TaskGraph(const AssemblyTree& tree, Method method, Count scalar_bytes, KeptFactors kept = KeptFactors::all,
            const FinishedNodes& finished = {});
  TaskGraph(const AssemblyTree& tree, Method method, Count scalar_bytes, const Mapping& mapping,
            KeptFactors kept = KeptFactors::all, const FinishedNodes& finished = {}, const TaskCut& cut = {});

  [[nodiscard]] Index num_tasks() const { return static_cast<Index>(tasks_.size()); }
  [[nodiscard]] const Task& task(TaskId id) const { return tasks_[id]; }
  /// Returns the task that consists of this front alone; kNoTask for a node in a subtree.
  [[nodiscard]] TaskId task_of_front(NodeId node) const { return task_of_front_[node]; }

  [[nodiscard]] std::span<const TaskId> children(TaskId id) const { return children_.of(id); }  ///< increasing

  /// True if it is known beforehand that the output stays in place until the parent assembles it. Otherwise it goes there in
  /// streams of rows, unless the task may move and has not.
  [[nodiscard]] bool is_direct(TaskId id) const;
  /// True if a front of type 1 has stored children, and no others whose rows come in streams: no other rank takes part in it.
  [[nodiscard]] bool has_stored_children_alone(TaskId id) const;

  [[nodiscard]] bool tasks_move() const { return tasks_move_; }  ///< tasks may move, even if there are none of the kind

  [[nodiscard]] const RootGrid& root_grid() const { return root_grid_; }  ///< as the mapping says

  [[nodiscard]] double total_flops() const { return total_flops_; }                 ///< of finished nodes, too
  [[nodiscard]] Count max_workspace_bytes() const { return max_workspace_bytes_; }  ///< over all subtrees

 private:
  explicit TaskGraph(const TaskSource& source);

  void link(const AssemblyTree& tree);
  void mark_movable(const TaskSource& source);
  void price(TaskId id, const TaskSource& source);
  [[nodiscard]] MovableUnit unit_of(TaskId id, Count factor_bytes) const;

  std::vector<Task> tasks_;
  Groups children_;  // [task]
  std::vector<TaskId> task_of_front_;
  bool tasks_move_ = false;
  RootGrid root_grid_;
  double total_flops_ = 0;
  Count max_workspace_bytes_ = 0;
};

}  // namespace frond
