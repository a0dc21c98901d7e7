// SPDX-License-Identifier: BSD-3-Clause
// Follows each front from the announcements of its children to the maps of rows.
#include "factorization/ranks/rank_layout.hpp"

#include <algorithm>
#include <utility>

namespace frond {

void RankLayout::set_up() {
  fronts_.clear();
  unlaid_.clear();
  const TaskGraph& graph = context_.graph;
  for (TaskId id = 0; id < graph.num_tasks(); ++id) {
    const Task& task = graph.task(id);
    const bool is_own = task.rank == me();
    if (is_own && !task.is_held && task.type != NodeType::sequential) {
      gather(id);
    }
    if (!graph.is_direct(id) && !(task.is_stored && graph.has_stored_children_alone(task.parent))) {
      streams_.add_outputs(is_own && !task.is_stored && !task.may_move ? 1 : 0);
      if (graph.task(task.parent).rank == me()) {
        gather(task.parent);
      }
    }
  }
}

// Registers an own front in which other ranks take part, or whose children are not known beforehand to stay in place.
void RankLayout::gather(TaskId id) {
  GatheredFront& front = fronts_[id];
  front.children_left = task_of(id).num_children;
  front.plan.task = id;
  front.plan.master = me();
}

// Stored fronts are known to all ranks from the beginning; fronts that a plan finds finished are announced to the ranks that
// continue with them.
void RankLayout::begin(std::span<const TaskId> coming) {
  for (auto& [id, front] : fronts_) {
    if (front.children_left == 0) {
      children_known(id, front);
    }
  }
  for (TaskId id = 0; id < context_.graph.num_tasks(); ++id) {
    if (const Task& task = task_of(id); task.is_stored && task_of(task.parent).rank == me() && fronts_.contains(task.parent)) {
      child_known({id, task.rank, context_.parts.announce(id)});
    }
  }
  for (TaskId id = 0; id < context_.graph.num_tasks(); ++id) {
    const Task& task = task_of(id);
    if (task.is_held && task.rank == me() && !std::binary_search(coming.begin(), coming.end(), id)) {
      announce(id);
    }
  }
}

void RankLayout::take_unit(TaskId top) {
  const TaskId first = task_of(top).unit.first;
  counts_.tasks_taken += top - first + 1;
  for (TaskId id = first; id <= top; ++id) {
    if (task_of(id).num_children > 0) {
      gather(id);
    }
  }
}

void RankLayout::give_unit(TaskId top) {
  const TaskId first = task_of(top).unit.first;
  counts_.tasks_given += top - first + 1;
  fronts_.erase(fronts_.lower_bound(first), fronts_.upper_bound(top));
}

void RankLayout::announce(TaskId id) {
  const TaskId parent = task_of(id).parent;
  if (parent == kNoTask) {
    return;
  }
  streams_.add_outputs(task_of(id).may_move ? 1 : 0);
  const Rank to = parent_rank(id);
  const bool is_own = to == me();
  if (is_own && !fronts_.contains(parent)) {
    return;  // no other rank takes part in it
  }
  const ChildOutput output{id, me(), context_.parts.announce(id)};
  if (is_own) {
    child_known(output);
  } else {
    mail_.send(to, AnnounceMessage{output, context_.numerics.right_sides_of(id)});
  }
}

// Returns the rank that does the parent of a finished task. Ranks give away only units that they own by the plan, and keep the
// parent of a unit's top, which they also own, since that cannot be given away any more.
Rank RankLayout::parent_rank(TaskId id) const {
  const TaskId parent = task_of(id).parent;
  return tasks_->is_here(parent) ? me() : task_of(parent).rank;
}

void RankLayout::receive(Rank /*from*/, const AnnounceMessage& message) {
  if (!message.right_sides.empty()) {
    context_.numerics.take_right_sides(message.output.task, message.right_sides);
  }
  child_known(message.output);
}

void RankLayout::child_known(const ChildOutput& child) {
  const TaskId id = task_of(child.task).parent;
  GatheredFront& front = fronts_.at(id);
  std::vector<ChildOutput>& children = front.plan.children;
  children.push_back(child);
  if (--front.children_left == 0) {
    std::sort(children.begin(), children.end(), [](const ChildOutput& a, const ChildOutput& b) { return a.task < b.task; });
    children_known(id, front);
  }
}

void RankLayout::children_known(TaskId id, GatheredFront& front) {
  const NodeType type = task_of(id).type;
  if (tasks_.is_paused() && type != NodeType::row_distributed) {
    unlaid_.push_back(id);
  } else if (type == NodeType::sequential) {
    lay_out(front.plan);
  } else {
    slaves_.choose(std::move(front.plan));
  }
}

void RankLayout::go_on() {
  for (const TaskId id : std::exchange(unlaid_, {})) {
    children_known(id, fronts_.at(id));
  }
}

// The layout itself counts as a stream until it is done.
void RankLayout::lay_out(const FrontPlan& plan) {
  const TaskId id = plan.task;
  std::vector<SizedStream> streams;
  if (task_of(id).type != NodeType::grid_distributed) {
    streams = context_.parts.expect(plan, {id, PartRole::master});
  }
  fronts_.at(id).streams_left = 1 + streams_.expect(streams);
  Count num_bytes = 0;
  for (const SizedStream& sized : streams) {
    num_bytes += sized.num_bytes;
  }
  tasks_->on_expected(id, num_bytes);
  send_row_maps(plan);
  on_arrived(id);
}

// Sends every rank that holds rows of a child their destinations.
void RankLayout::send_row_maps(const FrontPlan& plan) {
  for_each_row_map(plan, [this, &plan](const ChildOutput& child, const RowMap& map) {
    if (is_in_place(context_.graph, plan.master, child)) {
      streams_.add_outputs(task_of(child.task).may_move ? -1 : 0);
      return;
    }
    if (task_of(child.task).is_stored) {
      return;
    }
    mail_.send(child.master, RowMapMessage{{child.task, PartRole::master}, map});
    for (const RowShare& share : child.announcement.shares) {
      mail_.send(share.rank, RowMapMessage{{child.task, PartRole::slave}, map});
    }
  });
}

void RankLayout::on_arrived(TaskId task) {
  if (--fronts_.at(task).streams_left == 0) {
    fronts_.erase(task);
    tasks_->on_gathered(task);
  }
}

}  // namespace frond
