// SPDX-License-Identifier: BSD-3-Clause
// Lets the engine of a rank without work take subtrees that others have not begun, or get some out of the pool.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "factorization/ranks/rank_engine.hpp"
#include "frond/error.hpp"

namespace frond {
namespace {

// Compares ranks by multiplicative hashing (Knuth, The Art of Computer Programming, vol. 3, section 6.4), which maps no two ranks
// to one value.
bool is_less(Rank a, Rank b) {
  constexpr std::uint32_t kFactor = 2654435761U;
  return static_cast<std::uint32_t>(a) * kFactor < static_cast<std::uint32_t>(b) * kFactor;
}

}  // namespace

// A request sets aside at most half of the available memory, but enough for the largest unit that others may have.
Count RankEngine::most_guest_bytes() const {
  Count most = 0;
  for (TaskId id = 0; id < context_.graph.num_tasks(); ++id) {
    const Task& task = context_.graph.task(id);
    most = std::max(most, task.may_move && task.rank != me() ? task.unit.bytes() : 0);
  }
  return most;
}

// Parts of fronts that this rank holds for others are work as well: other ranks wait for each of their steps.
void RankEngine::seek_work() {
  // Everything else may wait for memory that only the task whose turn it is frees.
  const bool wants_some = engine_->waits_for_permission() || (engine_->has_idle_worker() && parts_.empty());
  if (search_.is_dry() || pause_.is_on || !wants_some) {
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
  if (options_.sharing == WorkSharing::pool) {
    chunk_.seconds = now() - granted_at_;
    chunk_.seconds_with_overhead = now() - asked_at_;
    asked_at_ = now();
    send(first, PoolRequestMessage{free_bytes, std::exchange(chunk_, {})});
    return;
  }
  send(first, StealMessage{me(), free_bytes, pace(), 0, false});
}

// Returns the share of this rank's unbegun work with which both ranks finish together, at their present paces.
double RankEngine::part_for(const StealMessage& message) const {
  if (engine_->num_movable() == 0) {
    return 0;
  }
  const std::vector<double> slowness = context_.loads.with_exchange([&](LoadExchange& exchange) {
    exchange.hear_pace(message.thief, message.pace);
    return exchange.paces().slowness();
  });
  const double mine = slowness[static_cast<std::size_t>(me())];
  return mine / (mine + slowness[static_cast<std::size_t>(message.thief)]);
}

// Handled in a pause, too: a rank at rest reports again when it has given or taken something.
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

// Where all ranks look for work at the same time, those that are less than another one wait for its result, by an order that has
// nothing to do with the ring's (Chang & Roberts 1979, "An improved algorithm for decentralized extrema-finding in circular
// configurations of processes"): P log P requests on average instead of P^2, and the greatest waits for no rank.
void RankEngine::answer(StealMessage message) {
  const std::vector<TaskId> tops = engine_->give_last(message.free_bytes, part_for(message));
  std::for_each(tops.begin(), tops.end(), [this](TaskId top) { lose_unit(top); });
  if (!tops.empty()) {
    send(message.thief, GrantMessage{tops});
    return;
  }
  if (search_.is_out() && is_less(message.thief, me())) {
    put_off_.push_back(message);
    return;
  }
  message.num_seen += engine_->num_movable();
  message.has_met_dry = search_.is_dry();
  counts_.dry_answers += message.has_met_dry ? 1 : 0;
  send(message.has_met_dry ? message.thief : search_.next_after_me(message.thief), message);
}

// Called when no rank has given anything so far.
void RankEngine::take_back(const StealMessage& message) {
  if (const std::optional<Rank> next = search_.come_back(message.num_seen, message.has_met_dry)) {
    send(*next, StealMessage{me(), message.free_bytes, message.pace, 0, false});
    return;
  }
  engine_->set_aside(-message.free_bytes);
  ++counts_.empty_rounds;
  counts_.refused_for_memory += search_.is_dry() ? 0 : 1;
  answer_put_off();
}

// Called when this rank's own search is over.
void RankEngine::answer_put_off() {
  for (const StealMessage& message : std::exchange(put_off_, {})) {
    answer(message);
  }
}

// Drops a unit in which this rank's own tasks have no part any more.
void RankEngine::lose_unit(TaskId top) {
  const TaskId first = context_.graph.task(top).unit.first;
  counts_.tasks_given += top - first + 1;
  fronts_.erase(fronts_.lower_bound(first), fronts_.upper_bound(top));
}

void RankEngine::take_unit(TaskId top) {
  const TaskId first = context_.graph.task(top).unit.first;
  counts_.tasks_taken += top - first + 1;
  for (TaskId id = first; id <= top; ++id) {
    if (context_.graph.task(id).num_children > 0) {
      gather(id);
    }
  }
  engine_->take_guests(top);
}

// The pool also grants a rank's own units, for which its plan has memory, and units that the plan gives to any other rank.
void RankEngine::receive(Rank from, const GrantMessage& message) {
  if (has_failed()) {
    return;
  }
  const bool is_pool = options_.sharing == WorkSharing::pool;
  const auto is_own = [&](TaskId top) { return is_pool && context_.graph.task(top).rank == me(); };
  Count needed = 0;
  bool are_its_own = true;
  for (const TaskId top : message.tops) {
    needed += is_own(top) ? 0 : context_.graph.task(top).unit.bytes();
    are_its_own = are_its_own && (is_pool || context_.graph.task(top).rank == from);
  }
  if (!search_.is_out() || needed > search_.asked_bytes() || !are_its_own) {
    throw InternalError("rank " + std::to_string(from) +
                        " gives tasks that are not its own, or to a rank that has not asked for so much");
  }
  search_.granted();
  engine_->set_aside(needed - search_.asked_bytes());
  chunk_.num_units = static_cast<Index>(message.tops.size());
  granted_at_ = now();
  for (const TaskId top : message.tops) {
    if (is_own(top)) {
      engine_->permit(top);
    } else {
      take_unit(top);
    }
  }
  answer_put_off();
}

// A single rank needs no permission.
void RankEngine::set_up_pool() {
  pool_.reset();
  chunk_ = {};
  const std::span<const Rank> members = context_.mapping.members();
  if (options_.sharing != WorkSharing::pool || members.size() < 2) {
    return;
  }
  for (const TaskId top : pool_units(context_.graph, members.size())) {
    if (context_.graph.task(top).rank == me()) {
      engine_->withhold(top);
    }
  }
  if (members.front() == me()) {
    pool_.emplace(context_.graph, members, options_.chunks);
  }
}

void RankEngine::receive(Rank from, const PoolRequestMessage& message) {
  if (has_failed()) {
    return;
  }
  pool_->note(from, message.done);
  const std::vector<TaskId> tops = pool_->take(from, message.free_bytes);
  if (tops.empty()) {
    send(from, StealMessage{from, message.free_bytes, {}, pool_->num_left(), pool_->num_left() == 0});
    return;
  }
  std::map<Rank, std::vector<TaskId>> of_others;
  for (const TaskId top : tops) {
    if (const Rank owner = context_.graph.task(top).rank; owner != from) {
      of_others[owner].push_back(top);
    }
  }
  for (const auto& [owner, given] : of_others) {
    send(owner, GivenMessage{given});
  }
  send(from, GrantMessage{tops});
}

void RankEngine::receive(Rank /*from*/, const GivenMessage& message) {
  if (has_failed()) {
    return;
  }
  for (const TaskId top : message.tops) {
    engine_->give(top);
    lose_unit(top);
  }
}

// Returns the rank that does the parent of a finished task. Ranks give away only units that they own by the plan, and keep the
// parent of a unit's top, which they also own, since that cannot be given away any more.
Rank RankEngine::parent_rank(TaskId id) const {
  const TaskId parent = context_.graph.task(id).parent;
  return engine_->is_here(parent) ? me() : context_.graph.task(parent).rank;
}

// Returns begins and ends of the units that this rank has taken.
std::vector<NodeId> RankEngine::taken_nodes() const {
  std::vector<NodeId> nodes;
  for (const TaskId id : engine_->guests()) {
    nodes.push_back(context_.graph.task(context_.graph.task(id).unit.first).node_begin);
    nodes.push_back(context_.graph.task(id).node_end);
  }
  return nodes;
}

}  // namespace frond
