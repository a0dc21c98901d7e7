// SPDX-License-Identifier: BSD-3-Clause
// Cuts the assembly tree into leaf subtrees and fronts.
#include "factorization/scheduling/task_graph.hpp"

#include <algorithm>

#include "factorization/kernels/panel_layout.hpp"
#include "factorization/kernels/rank_update.hpp"
#include "factorization/memory/contribution_arena.hpp"
#include "factorization/memory/factor_storage.hpp"

namespace frond {

// What tasks are made of.
struct TaskSource {
  const AssemblyTree& tree;
  Method method;
  Count scalar_bytes;
  const Mapping* mapping;  // null in one process
  KeptFactors kept;
  const FinishedNodes& finished;
  TaskCut cut;

  [[nodiscard]] Rank num_ranks() const { return mapping == nullptr ? 1 : mapping->num_ranks(); }
  [[nodiscard]] Rank rank_of(NodeId node) const { return mapping == nullptr ? 0 : mapping->master(node); }
  [[nodiscard]] bool is_finished(NodeId node) const { return !finished.empty() && finished[node] != Finished::no; }
  [[nodiscard]] bool leaves(NodeId node, const Task& task) const {  // whether its contribution block goes to another task
    return tree.parent(node) == kNoParent || tree.parent(node) >= task.node_end;
  }
  [[nodiscard]] Count contribution_bytes(NodeId node) const {
    return ContributionArena::rounded(contribution_entries(tree, node, method) * scalar_bytes);
  }
  [[nodiscard]] FrontShape kept_of(NodeId node, FrontShape held) const { return kept_shape(tree, node, held, method, kept); }
};

namespace {

// A subtree is a task up to this share of the whole cost: small enough that up to about 16 workers end together, large enough that
// tasks are few.
constexpr double kSubtreeShare = 1.0 / 64;
// A front below this many flops is not worth splitting into jobs.
constexpr double kMinFlopsForJobs = 2e6;

// Peak of the contribution blocks inside the nodes of a subtree, without those that leave it: each end of the workspace is a stack.
Count workspace_bytes(const TaskSource& source, const Task& task) {
  Count now = 0;
  Count peak = 0;
  for (NodeId node = task.node_begin; node < task.node_end; ++node) {
    if (!source.leaves(node, task)) {
      now += source.contribution_bytes(node);
      peak = std::max(peak, now);
    }
    for (const NodeId child : source.tree.children(node)) {
      now -= source.contribution_bytes(child);
    }
  }
  return peak;
}

// What a task does not keep of its largest front.
Count largest_passing_bytes(const TaskSource& source, const Task& task) {
  Count largest = 0;
  for (NodeId node = task.node_begin; node < task.node_end; ++node) {
    const FrontShape held = source.mapping == nullptr ? FrontShape::whole : shape_on(*source.mapping, node, task.rank);
    const Count bytes = passing_bytes(source.tree.front_order(node), source.tree.num_fully_summed(node), source.method,
                                      source.scalar_bytes, held, source.kept_of(node, held));
    largest = std::max(largest, ContributionArena::rounded(bytes));
  }
  return largest;
}

// The contribution blocks that a task leaves for its parent, as far as its rank holds them.
Count output_bytes(const TaskSource& source, const Task& task) {
  Count bytes = 0;
  for (NodeId node = task.node_begin; node < task.node_end && task.type == NodeType::sequential; ++node) {
    bytes += source.leaves(node, task) ? source.contribution_bytes(node) : 0;
  }
  return bytes;
}

Count whole_factor_bytes(const TaskSource& source, const Task& task) {
  Count bytes = 0;
  for (NodeId node = task.node_begin; node < task.node_end; ++node) {
    bytes += front_bytes(source.tree.front_order(node), source.tree.num_fully_summed(node), source.method, source.scalar_bytes,
                         source.kept_of(node, FrontShape::whole));
  }
  return bytes;
}

// Flops of a task without those of slaves and of the ranks of a grid.
double own_flops(const TaskSource& source, const Task& task) {
  switch (task.type) {
    case NodeType::sequential:
      return task.cost.flops;
    case NodeType::row_distributed:
      return master_cost(source.tree.front_order(task.node_begin), source.tree.num_fully_summed(task.node_begin), source.method)
          .flops;
    case NodeType::grid_distributed:
      return 0;
  }
  return 0;
}

// Marks each node that is not finished itself but has a finished node below it.
std::vector<char> nodes_above_finished(const TaskSource& source) {
  std::vector<char> is_above(static_cast<std::size_t>(source.tree.num_nodes()), 0);
  for (NodeId node = 0; node < source.tree.num_nodes() && !source.finished.empty(); ++node) {
    const bool has_finished_below = source.is_finished(node) || is_above[node] != 0;
    if (const NodeId parent = source.tree.parent(node); parent != kNoParent && has_finished_below) {
      is_above[parent] = source.is_finished(parent) ? 0 : 1;
    }
  }
  return is_above;
}

// The contribution blocks of children that are read from a store.
Count stored_block_bytes(const TaskSource& source, NodeId node) {
  Count bytes = 0;
  for (const NodeId child : source.tree.children(node)) {
    if (!source.finished.empty() && source.finished[child] == Finished::stored) {
      bytes += source.contribution_bytes(child);
    }
  }
  return bytes;
}

// Cuts the tree into leaf subtrees below a limit of seconds and the fronts above them.
class TreeCutter {
 public:
  explicit TreeCutter(const TaskSource& source)
      : source_(source),
        seconds_below_(subtree_seconds(source.tree, source.method)),
        is_above_finished_(nodes_above_finished(source)) {
    double total_seconds = 0;
    for (NodeId node = 0; node < source.tree.num_nodes(); ++node) {
      total_seconds += front_seconds(front_cost(source.tree, node, source.method));
    }
    limit_ = std::max(source.cut.least_seconds, total_seconds * kSubtreeShare / source.num_ranks());
  }

  // The tasks in postorder; task_of_front[node] is set for each task that is one front.
  std::vector<Task> cut(std::vector<TaskId>& task_of_front) {
    for (NodeId node = 0; node < source_.tree.num_nodes(); ++node) {
      if (source_.is_finished(node) ? has_unfinished_parent(node) : is_front(node)) {
        task_of_front[node] = static_cast<TaskId>(tasks_.size());
        add_front(node);
      } else if (!source_.is_finished(node) && is_top_of_subtree(node)) {
        add_subtree(node);
      }
    }
    return std::move(tasks_);
  }

 private:
  [[nodiscard]] bool is_front(NodeId node) const {
    return seconds_below_[node] > limit_ || is_above_finished_[node] != 0 ||
           (source_.num_ranks() > 1 && !source_.mapping->is_in_subtree(node));
  }

  [[nodiscard]] bool has_unfinished_parent(NodeId node) const {
    const NodeId parent = source_.tree.parent(node);
    return parent != kNoParent && !source_.is_finished(parent);
  }

  [[nodiscard]] bool is_top_of_subtree(NodeId node) const {
    const NodeId parent = source_.tree.parent(node);
    return parent == kNoParent || is_front(parent);
  }

  // Finished fronts are there for their parents alone.
  void add_front(NodeId node) {
    Task& front = tasks_.emplace_back();
    front.node_begin = node;
    front.node_end = node + 1;
    front.rank = source_.rank_of(node);
    front.is_stored = source_.is_finished(node) && source_.finished[node] == Finished::stored;
    front.is_held = source_.is_finished(node) && !front.is_stored;
    front.type = front.is_stored || source_.mapping == nullptr ? NodeType::sequential : source_.mapping->type(node);
  }

  // Neighbouring subtrees of one parent and rank join up to the limit.
  void add_subtree(NodeId top) {
    const double seconds = seconds_below_[top];
    const bool joins = !tasks_.empty() && tasks_.back().is_subtree && tasks_.back().rank == source_.rank_of(top) &&
                       tasks_.back().node_end == source_.tree.subtree_begin(top) &&
                       source_.tree.parent(tasks_.back().node_end - 1) == source_.tree.parent(top) &&
                       bundle_seconds_ + seconds <= limit_;
    if (!joins) {
      Task& subtree = tasks_.emplace_back();
      subtree.node_begin = source_.tree.subtree_begin(top);
      subtree.rank = source_.rank_of(top);
      subtree.is_subtree = true;
      bundle_seconds_ = 0;
    }
    tasks_.back().node_end = top + 1;
    bundle_seconds_ += seconds;
  }

  const TaskSource& source_;
  std::vector<double> seconds_below_;  // of the subtree of each node
  std::vector<char> is_above_finished_;
  double limit_ = 0;  // seconds of a subtree
  std::vector<Task> tasks_;
  double bundle_seconds_ = 0;  // of the last subtree task
};

}  // namespace

bool is_split_into_jobs(const Task& task) { return !task.is_subtree && task.cost.flops >= kMinFlopsForJobs; }

Count contribution_entries(const AssemblyTree& tree, NodeId node, Method method) {
  const Index order = tree.cb_order(node);
  return is_symmetric(method) ? PanelLayout{order, order, kPanelWidth}.size() : static_cast<Count>(order) * order;
}

bool TaskGraph::is_direct(TaskId id) const {
  const Task& child = task(id);
  if (child.parent == kNoTask) {
    return true;
  }
  const Task& parent = task(child.parent);
  return !child.is_stored && !child.may_move && parent.rank == child.rank && parent.type == NodeType::sequential &&
         child.type == NodeType::sequential;
}

bool TaskGraph::has_stored_children_alone(TaskId id) const {
  bool has_stored = false;
  for (const TaskId child : children(id)) {
    has_stored = has_stored || task(child).is_stored;
    if (!task(child).is_stored && !is_direct(child)) {
      return false;
    }
  }
  return has_stored && task(id).type == NodeType::sequential;
}

// Makes the unit of a task with `factor_bytes` for its own factors; those of its children are known.
MovableUnit TaskGraph::unit_of(TaskId id, Count factor_bytes) const {
  MovableUnit unit{id, task(id).own_flops, 0, factor_bytes};
  Count output_bytes = 0;
  for (const TaskId child : children(id)) {
    const MovableUnit& below = task(child).unit;
    unit.first = std::min(unit.first, below.first);
    unit.flops += below.flops;
    unit.active_bytes = std::max(unit.active_bytes, output_bytes + below.active_bytes);
    unit.factor_bytes += below.factor_bytes;
    output_bytes += task(child).output_bytes;
  }
  unit.active_bytes = std::max(unit.active_bytes, output_bytes + task(id).active_bytes());
  return unit;
}

void TaskGraph::link(const AssemblyTree& tree) {
  std::vector<TaskId> parents;
  for (Task& task : tasks_) {
    if (const NodeId parent = tree.parent(task.node_end - 1); parent != kNoParent) {
      task.parent = task_of_front_[parent];
      ++tasks_[task.parent].num_children;
    }
    parents.push_back(task.parent);
  }
  children_ = group_by(parents, num_tasks());
}

// A task moves with all below it, so that all of these have to.
void TaskGraph::mark_movable(const TaskSource& source) {
  for (TaskId id = 0; id < num_tasks(); ++id) {
    Task& task = tasks_[id];
    const std::span<const TaskId> below = children(id);
    task.may_move = source.cut.tasks_move && !task.is_stored && !task.is_held && source.mapping != nullptr &&
                    source.mapping->is_in_subtree(task.node_begin) &&
                    std::all_of(below.begin(), below.end(), [this](TaskId child) { return this->task(child).may_move; });
  }
}

// Children are priced before their parents.
void TaskGraph::price(TaskId id, const TaskSource& source) {
  Task& task = tasks_[id];
  if (task.is_stored) {
    return;
  }
  task.output_bytes = output_bytes(source, task);
  if (task.is_held) {
    return;
  }
  for (NodeId node = task.node_begin; node < task.node_end; ++node) {
    task.cost += front_cost(source.tree, node, source.method);
  }
  task.own_flops = own_flops(source, task);
  task.passing_bytes = largest_passing_bytes(source, task);
  if (has_stored_children_alone(id)) {
    task.passing_bytes += stored_block_bytes(source, task.node_begin);
  }
  if (task.is_subtree) {
    task.workspace_bytes = workspace_bytes(source, task);
    max_workspace_bytes_ = std::max(max_workspace_bytes_, task.workspace_bytes);
  }
  if (task.may_move) {
    task.unit = unit_of(id, whole_factor_bytes(source, task));
  }
}

TaskGraph::TaskGraph(const TaskSource& source)
    : task_of_front_(static_cast<std::size_t>(source.tree.num_nodes()), kNoTask), tasks_move_(source.cut.tasks_move) {
  if (source.mapping != nullptr) {
    root_grid_ = source.mapping->root_grid();
  }
  for (NodeId node = 0; node < source.tree.num_nodes(); ++node) {
    total_flops_ += front_cost(source.tree, node, source.method).flops;
  }
  tasks_ = TreeCutter(source).cut(task_of_front_);
  link(source.tree);
  mark_movable(source);
  for (TaskId id = 0; id < num_tasks(); ++id) {
    price(id, source);
  }
}

TaskGraph::TaskGraph(const AssemblyTree& tree, Method method, Count scalar_bytes, KeptFactors kept, const FinishedNodes& finished)
    : TaskGraph(TaskSource{tree, method, scalar_bytes, nullptr, kept, finished, {}}) {}

TaskGraph::TaskGraph(const AssemblyTree& tree, Method method, Count scalar_bytes, const Mapping& mapping, KeptFactors kept,
                     const FinishedNodes& finished, const TaskCut& cut)
    : TaskGraph(TaskSource{tree, method, scalar_bytes, &mapping, kept, finished, cut}) {}

}  // namespace frond
