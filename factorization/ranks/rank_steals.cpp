// SPDX-License-Identifier: BSD-3-Clause
// How the engine of a rank without work takes leaf subtrees that others have not begun.
#include <algorithm>

#include "factorization/ranks/rank_engine.hpp"
#include "frond/error.hpp"

namespace frond {

// What a request sets aside is no more than the largest task needs that others may have.
Count RankEngine::most_guest_bytes() const {
  Count most = 0;
  for (TaskId id = 0; id < context_.graph.num_tasks(); ++id) {
    const Task& task = context_.graph.task(id);
    most = std::max(most, task.may_move && task.rank != me() ? engine_->guest_bytes(id) : 0);
  }
  return most;
}

// Parts of fronts that this rank holds for others are work as well: somebody waits for each of their steps.
void RankEngine::seek_work() {
  if (search_.is_dry() || pause_.is_on || !engine_->has_idle_worker() || !parts_.empty()) {
    return;
  }
  const Count free_bytes = std::min(engine_->bytes_for_guests(), most_guest_bytes_);
  if (!search_.may_begin(free_bytes)) {
    return;
  }
  engine_->set_aside(free_bytes);
  const Rank first =
      context_.loads.with_exchange([&](const LoadExchange& exchange) { return search_.begin(free_bytes, exchange.view()); });
  ++counts_.rounds;
  send(first, StealMessage{me(), free_bytes, 0});
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

void RankEngine::answer(StealMessage message) {
  if (const std::optional<TaskId> task = engine_->give_last(message.free_bytes)) {
    ++counts_.tasks_given;
    send(message.thief, GrantMessage{*task});
    return;
  }
  message.num_seen += engine_->num_movable();
  send(search_.next_after_me(message.thief), message);
}

// Nobody has given anything so far.
void RankEngine::take_back(const StealMessage& message) {
  if (const std::optional<Rank> next = search_.come_back(message.num_seen)) {
    send(*next, StealMessage{me(), message.free_bytes, 0});
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
  const Count needed = engine_->guest_bytes(message.task);
  if (!search_.is_out() || needed > search_.asked_bytes()) {
    throw InternalError("rank " + std::to_string(from) + " gives task " + std::to_string(message.task) +
                        " to a rank that has not asked for it");
  }
  search_.granted();
  engine_->set_aside(needed - search_.asked_bytes());
  ++counts_.tasks_taken;
  engine_->take_guest(message.task);
}

// Begins and ends of the tasks that this rank has taken.
std::vector<NodeId> RankEngine::taken_nodes() const {
  std::vector<NodeId> nodes;
  for (const TaskId id : engine_->guests()) {
    nodes.push_back(context_.graph.task(id).node_begin);
    nodes.push_back(context_.graph.task(id).node_end);
  }
  return nodes;
}

}  // namespace frond
