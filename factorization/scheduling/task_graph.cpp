// SPDX-License-Identifier: BSD-3-Clause
// Cuts the assembly tree into leaf subtrees and fronts.
#include "factorization/scheduling/task_graph.hpp"

#include <algorithm>

#include "factorization/kernels/panel_layout.hpp"
#include "factorization/kernels/rank_update.hpp"
#include "factorization/memory/contribution_arena.hpp"
#include "factorization/memory/factor_storage.hpp"

namespace frond {
namespace {

// A subtree is a task up to this share of the whole cost: small enough that up to about 16 workers end together, large enough that
// tasks are few.
constexpr double kSubtreeShare = 1.0 / 64;
// A front below this many flops is not worth splitting into jobs.
constexpr double kMinFlopsForJobs = 2e6;

// Peak of the contribution blocks inside the nodes [begin, end), those that leave the range not counted: each end of the workspace
// is a stack.
Count workspace_bytes(const AssemblyTree& tree, NodeId begin, NodeId end, Method method, Count scalar_bytes) {
  Count now = 0;
  Count peak = 0;
  for (NodeId node = begin; node < end; ++node) {
    if (tree.parent(node) != kNoParent && tree.parent(node) < end) {
      now += ContributionArena::rounded(contribution_entries(tree, node, method) * scalar_bytes);
      peak = std::max(peak, now);
    }
    for (const NodeId child : tree.children(node)) {
      now -= ContributionArena::rounded(contribution_entries(tree, child, method) * scalar_bytes);
    }
  }
  return peak;
}

// Returns the bytes that a task does not keep of its largest front.
Count largest_passing_bytes(const AssemblyTree& tree, const Task& task, Method method, Count scalar_bytes, const Mapping* mapping,
                            KeptFactors kept) {
  Count largest = 0;
  for (NodeId node = task.node_begin; node < task.node_end; ++node) {
    const FrontShape held = mapping == nullptr ? FrontShape::whole : shape_on(*mapping, node, task.rank);
    const Count bytes = passing_bytes(tree.front_order(node), tree.num_fully_summed(node), method, scalar_bytes, held,
                                      kept_shape(tree, node, held, method, kept));
    largest = std::max(largest, ContributionArena::rounded(bytes));
  }
  return largest;
}

// Returns which nodes are not finished themselves, but have a finished node below them: [node].
std::vector<char> nodes_above_finished(const AssemblyTree& tree, const FinishedNodes& finished) {
  const auto is_finished = [&finished](NodeId node) { return finished[static_cast<std::size_t>(node)] != Finished::no; };
  std::vector<char> is_above(static_cast<std::size_t>(tree.num_nodes()), 0);
  for (NodeId node = 0; node < tree.num_nodes() && !finished.empty(); ++node) {
    const bool has_finished_below = is_finished(node) || is_above[static_cast<std::size_t>(node)] != 0;
    if (const NodeId parent = tree.parent(node); parent != kNoParent && has_finished_below) {
      is_above[static_cast<std::size_t>(parent)] = is_finished(parent) ? 0 : 1;
    }
  }
  return is_above;
}

// Returns the bytes of the contribution blocks of children that are read from a store.
Count stored_block_bytes(const AssemblyTree& tree, NodeId node, Method method, Count scalar_bytes, const FinishedNodes& finished) {
  Count bytes = 0;
  for (const NodeId child : tree.children(node)) {
    if (!finished.empty() && finished[static_cast<std::size_t>(child)] == Finished::stored) {
      bytes += ContributionArena::rounded(contribution_entries(tree, child, method) * scalar_bytes);
    }
  }
  return bytes;
}

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

std::span<const TaskId> TaskGraph::children(TaskId id) const {
  const std::size_t begin = children_offsets_[static_cast<std::size_t>(id)];
  return std::span(children_).subspan(begin, children_offsets_[static_cast<std::size_t>(id) + 1] - begin);
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

void TaskGraph::link_children() {
  children_offsets_.assign(tasks_.size() + 1, 0);
  for (std::size_t id = 0; id < tasks_.size(); ++id) {
    children_offsets_[id + 1] = children_offsets_[id] + static_cast<std::size_t>(tasks_[id].num_children);
  }
  children_.resize(children_offsets_.back());
  std::vector<std::size_t> next(children_offsets_.begin(), children_offsets_.end() - 1);
  for (TaskId id = 0; id < num_tasks(); ++id) {
    if (const TaskId parent = task(id).parent; parent != kNoTask) {
      children_[next[static_cast<std::size_t>(parent)]++] = id;
    }
  }
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

TaskGraph::TaskGraph(const AssemblyTree& tree, Method method, Count scalar_bytes, const Mapping* mapping, KeptFactors kept,
                     const FinishedNodes& finished, const TaskCut& cut) {
  const auto num_nodes = static_cast<std::size_t>(tree.num_nodes());
  const std::vector<double> seconds_below = subtree_seconds(tree, method);
  double total_seconds = 0;
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const FrontCost cost = front_cost(tree, node, method);
    total_flops_ += cost.flops;
    total_seconds += front_seconds(cost);
  }
  if (mapping != nullptr) {
    root_grid_ = mapping->root_grid();
  }
  const Rank num_ranks = mapping == nullptr ? 1 : mapping->num_ranks();
  const double limit = std::max(cut.least_seconds, total_seconds * kSubtreeShare / num_ranks);
  const auto rank_of = [&](NodeId node) { return mapping == nullptr ? 0 : mapping->master(node); };
  const auto is_finished = [&](NodeId node) {
    return !finished.empty() && finished[static_cast<std::size_t>(node)] != Finished::no;
  };
  const std::vector<char> is_above_finished = nodes_above_finished(tree, finished);
  const auto is_front = [&](NodeId node) {
    return seconds_below[static_cast<std::size_t>(node)] > limit || is_above_finished[static_cast<std::size_t>(node)] != 0 ||
           (num_ranks > 1 && !mapping->is_in_subtree(node));
  };

  task_of_front_.assign(num_nodes, kNoTask);
  double bundle_seconds = 0;
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const double node_seconds = seconds_below[static_cast<std::size_t>(node)];
    const NodeId parent = tree.parent(node);
    if (is_finished(node)) {
      if (parent != kNoParent && !is_finished(parent)) {
        task_of_front_[static_cast<std::size_t>(node)] = num_tasks();
        Task& done = tasks_.emplace_back();
        done.node_begin = node;
        done.node_end = node + 1;
        done.rank = rank_of(node);
        done.is_stored = finished[static_cast<std::size_t>(node)] == Finished::stored;
        done.is_held = !done.is_stored;
        done.type = done.is_held && mapping != nullptr ? mapping->type(node) : NodeType::sequential;
      }
      continue;
    }
    if (is_front(node)) {
      task_of_front_[static_cast<std::size_t>(node)] = num_tasks();
      Task& front = tasks_.emplace_back();
      front.node_begin = node;
      front.node_end = node + 1;
      front.rank = rank_of(node);
      front.type = mapping == nullptr ? NodeType::sequential : mapping->type(node);
      continue;
    }
    if (parent != kNoParent && !is_front(parent)) {
      continue;  // inside a subtree
    }
    const bool joins = !tasks_.empty() && tasks_.back().is_subtree && tasks_.back().rank == rank_of(node) &&
                       tasks_.back().node_end == tree.subtree_begin(node) && tree.parent(tasks_.back().node_end - 1) == parent &&
                       bundle_seconds + node_seconds <= limit;
    if (!joins) {
      Task& subtree = tasks_.emplace_back();
      subtree.node_begin = tree.subtree_begin(node);
      subtree.rank = rank_of(node);
      subtree.is_subtree = true;
      bundle_seconds = 0;
    }
    tasks_.back().node_end = node + 1;
    bundle_seconds += node_seconds;
  }

  for (Task& task : tasks_) {
    if (const NodeId parent = tree.parent(task.node_end - 1); parent != kNoParent) {
      task.parent = task_of_front_[static_cast<std::size_t>(parent)];
      ++tasks_[static_cast<std::size_t>(task.parent)].num_children;
    }
  }
  link_children();
  tasks_move_ = cut.tasks_move;
  for (Task& task : tasks_) {
    if (task.is_stored) {
      continue;
    }
    const auto id = static_cast<TaskId>(&task - tasks_.data());
    const std::span<const TaskId> below = children(id);
    task.may_move = cut.tasks_move && !task.is_held && mapping != nullptr && mapping->is_in_subtree(task.node_begin) &&
                    std::all_of(below.begin(), below.end(), [this](TaskId child) { return this->task(child).may_move; });
    for (NodeId node = task.node_begin; node < task.node_end; ++node) {
      task.cost += task.is_held ? FrontCost{} : front_cost(tree, node, method);
      const NodeId parent = tree.parent(node);
      if (task.type == NodeType::sequential && (parent == kNoParent || parent >= task.node_end)) {
        task.output_bytes += ContributionArena::rounded(contribution_entries(tree, node, method) * scalar_bytes);
      }
    }
    if (task.is_held) {
      continue;
    }
    task.passing_bytes = largest_passing_bytes(tree, task, method, scalar_bytes, mapping, kept);
    if (has_stored_children_alone(id)) {
      task.passing_bytes += stored_block_bytes(tree, task.node_begin, method, scalar_bytes, finished);
    }
    task.own_flops = task.cost.flops;
    if (task.type == NodeType::row_distributed) {
      task.own_flops = master_cost(tree.front_order(task.node_begin), tree.num_fully_summed(task.node_begin), method).flops;
    } else if (task.type == NodeType::grid_distributed) {
      task.own_flops = 0;
    }
    if (task.is_subtree) {
      task.workspace_bytes = workspace_bytes(tree, task.node_begin, task.node_end, method, scalar_bytes);
      max_workspace_bytes_ = std::max(max_workspace_bytes_, task.workspace_bytes);
    }
    if (task.may_move) {
      Count factor_bytes = 0;
      for (NodeId node = task.node_begin; node < task.node_end; ++node) {
        factor_bytes += front_bytes(tree.front_order(node), tree.num_fully_summed(node), method, scalar_bytes,
                                    kept_shape(tree, node, FrontShape::whole, method, kept));
      }
      task.unit = unit_of(id, factor_bytes);
    }
  }
}

}  // namespace frond
