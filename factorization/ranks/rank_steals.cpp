// SPDX-License-Identifier: BSD-3-Clause
// How the engine of a rank without work takes subtrees that others have not begun.
#include <algorithm>

#include "factorization/ranks/rank_engine.hpp"
#include "frond/error.hpp"

namespace frond {

// What a request sets aside is no more than half of what there is, but enough for the largest unit that others may have.
Count RankEngine::most_guest_bytes() const {
  Count most = 0;
  for (TaskId id = 0; id < context_.graph.num_tasks(); ++id) {
    const Task& task = context_.graph.task(id);
    most = std::max(most, task.may_move && task.rank != me() ? task.unit.bytes() : 0);
  }
  return most;
}

// Parts of fronts that this rank holds for others are work as well: somebody waits for each of their steps.
void RankEngine::seek_work() {
  if (search_.is_dry() || pause_.is_on || !engine_->has_idle_worker() || !parts_.empty()) {
    return;
  }
  const Count all_bytes = engine_->bytes_for_guests();
  const Count free_bytes = std::min(all_bytes, std::max(most_guest_bytes_, all_bytes / 2));
  if (!search_.may_begin(free_bytes)) {
    return;
  }
  engine_->set_aside(free_bytes);
  const Rank first =
      context_.loads.with_exchange([&](const LoadExchange& exchange) { return search_.begin(free_bytes, exchange.view()); });
  ++counts_.rounds;
  send(first, StealMessage{me(), free_bytes, pace(), 0, false});
}

// In a pause, too: who rests says so again when it has given or taken something.
void RankEngine::receive(Rank /*from*/, const StealMessage& message) {
  if (has_failed()) {
    return;
  }
  if (message.thief == me()) {
    take_back(message);
  } else {
    answer(message);
  }
}

// Both are to end together, at the paces that they have.
void RankEngine::answer(StealMessage message) {
  const auto mine = static_cast<double>(pace());
  const auto share = mine / (mine + static_cast<double>(message.pace));
  const std::vector<TaskId> tops = engine_->give_last(message.free_bytes, share);
  for (const TaskId top : tops) {
    const TaskId first = context_.graph.task(top).unit.first;
    counts_.tasks_given += top - first + 1;
    fronts_.erase(fronts_.lower_bound(first), fronts_.upper_bound(top));
  }
  if (!tops.empty()) {
    send(message.thief, GrantMessage{tops});
    return;
  }
  message.num_seen += engine_->num_movable();
  message.has_met_dry = search_.is_dry();
  send(message.has_met_dry ? message.thief : search_.next_after_me(message.thief), message);
}

// Nobody has given anything so far.
void RankEngine::take_back(const StealMessage& message) {
  if (const std::optional<Rank> next = search_.come_back(message.num_seen, message.has_met_dry)) {
    send(*next, StealMessage{me(), message.free_bytes, message.pace, 0, false});
    return;
  }
  engine_->set_aside(-message.free_bytes);
  ++counts_.empty_rounds;
  counts_.refused_for_memory += search_.is_dry() ? 0 : 1;
}

void RankEngine::receive(Rank from, const GrantMessage& message) {
  if (has_failed()) {
    return;
  }
  Count needed = 0;
  for (const TaskId top : message.tops) {
    needed += context_.graph.task(top).unit.bytes();
  }
  if (!search_.is_out() || needed > search_.asked_bytes()) {
    throw InternalError("rank " + std::to_string(from) + " gives tasks to a rank that has not asked for so much");
  }
  search_.granted();
  engine_->set_aside(needed - search_.asked_bytes());
  for (const TaskId top : message.tops) {
    const TaskId first = context_.graph.task(top).unit.first;
    counts_.tasks_taken += top - first + 1;
    givers_[top] = from;
    for (TaskId id = first; id <= top; ++id) {
      if (context_.graph.task(id).num_children > 0) {
        gather(id);
      }
    }
    engine_->take_guests(top);
  }
}

// Who does the parent of a task that this rank has done. Whoever gives a unit keeps the parent of its top, since that cannot be
// given any more.
Rank RankEngine::parent_rank(TaskId id) const {
  const TaskId parent = context_.graph.task(id).parent;
  if (engine_->is_here(parent)) {
    return me();
  }
  const auto giver = givers_.find(id);
  return giver != givers_.end() && context_.graph.task(parent).may_move ? giver->second : context_.graph.task(parent).rank;
}

// Begins and ends of the units that this rank has taken.
std::vector<NodeId> RankEngine::taken_nodes() const {
  std::vector<NodeId> nodes;
  for (const TaskId id : engine_->guests()) {
    nodes.push_back(context_.graph.task(context_.graph.task(id).unit.first).node_begin);
    nodes.push_back(context_.graph.task(id).node_end);
  }
  return nodes;
}

}  // namespace frond
