// SPDX-License-Identifier: BSD-3-Clause
// Asks for tasks, and gives or takes them.
#include "factorization/ranks/rank_sharing.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

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
void RankSharing::set_up() {
  search_.restart(context_.mapping.members());
  put_off_.clear();
  most_guest_bytes_ = 0;
  for (TaskId id = 0; id < context_.graph.num_tasks(); ++id) {
    const Task& task = task_of(id);
    most_guest_bytes_ = std::max(most_guest_bytes_, task.may_move && task.rank != me() ? task.unit.bytes() : 0);
  }
}

// Parts of fronts that this rank holds for others are work as well: other ranks wait for each of their steps.
void RankSharing::advance() {
  // Everything else may wait for memory that only the task whose turn it is frees.
  const bool wants_some = tasks_->waits_for_permission() || (tasks_->has_idle_worker() && parts_.has_none());
  if (search_.is_dry() || tasks_.is_paused() || !wants_some) {
    return;
  }
  const Count all_bytes = tasks_->bytes_for_guests();
  const Count free_bytes = std::min(all_bytes, std::max(most_guest_bytes_, all_bytes / 2));
  if (!search_.may_begin(free_bytes)) {
    return;
  }
  tasks_->set_aside(free_bytes);
  const Rank first =
      context_.loads.with_exchange([&](const LoadExchange& exchange) { return search_.begin(free_bytes, exchange.view()); });
  ++counts_.rounds;
  if (pool_.is_used()) {
    mail_.send(first, pool_.request(free_bytes));
  } else {
    mail_.send(first, StealMessage{me(), free_bytes, tasks_.pace(), 0, false});
  }
}

// Returns the share of this rank's unbegun work with which both ranks finish together, at their present paces.
double RankSharing::part_for(const StealMessage& message) const {
  if (tasks_->num_movable() == 0) {
    return 0;
  }
  const std::vector<double> slowness = context_.loads.with_exchange([&](LoadExchange& exchange) {
    exchange.hear_pace(message.thief, message.pace);
    return exchange.paces().slowness();
  });
  const double mine = slowness[me()];
  return mine / (mine + slowness[message.thief]);
}

// Handled in a pause, too: a rank at rest reports again when it has given or taken something.
void RankSharing::receive(Rank /*from*/, const StealMessage& message) {
  if (message.thief == me()) {
    take_back(message);
  } else {
    answer(message);
  }
}

// Where all ranks look for work at the same time, those that are less than another one wait for its result, by an order that has
// nothing to do with the ring's (Chang & Roberts 1979, "An improved algorithm for decentralized extrema-finding in circular
// configurations of processes"): P log P requests on average instead of P^2, and the greatest waits for no rank.
void RankSharing::answer(StealMessage message) {
  const std::vector<TaskId> tops = tasks_->give_last(message.free_bytes, part_for(message));
  std::for_each(tops.begin(), tops.end(), [this](TaskId top) { layout_.give_unit(top); });
  if (!tops.empty()) {
    mail_.send(message.thief, GrantMessage{tops});
    return;
  }
  if (search_.is_out() && is_less(message.thief, me())) {
    put_off_.push_back(message);
    return;
  }
  message.num_seen += tasks_->num_movable();
  message.has_met_dry = search_.is_dry();
  counts_.dry_answers += message.has_met_dry ? 1 : 0;
  mail_.send(message.has_met_dry ? message.thief : search_.next_after_me(message.thief), message);
}

// Called when no rank has given anything so far.
void RankSharing::take_back(const StealMessage& message) {
  if (const std::optional<Rank> next = search_.come_back(message.num_seen, message.has_met_dry)) {
    mail_.send(*next, StealMessage{me(), message.free_bytes, message.pace, 0, false});
    return;
  }
  tasks_->set_aside(-message.free_bytes);
  ++counts_.empty_rounds;
  counts_.refused_for_memory += search_.is_dry() ? 0 : 1;
  answer_put_off();
}

// Called when this rank's own search is over.
void RankSharing::answer_put_off() {
  for (const StealMessage& message : std::exchange(put_off_, {})) {
    answer(message);
  }
}

// The pool also grants a rank's own units, for which its plan has memory, and units that the plan gives to any other rank.
void RankSharing::receive(Rank from, const GrantMessage& message) {
  const auto is_own = [&](TaskId top) { return pool_.is_used() && task_of(top).rank == me(); };
  Count needed = 0;
  bool are_its_own = true;
  for (const TaskId top : message.tops) {
    needed += is_own(top) ? 0 : task_of(top).unit.bytes();
    are_its_own = are_its_own && (pool_.is_used() || task_of(top).rank == from);
  }
  if (!search_.is_out() || needed > search_.asked_bytes() || !are_its_own) {
    throw InternalError("rank " + std::to_string(from) +
                        " gives tasks that are not its own, or to a rank that has not asked for so much");
  }
  search_.granted();
  tasks_->set_aside(needed - search_.asked_bytes());
  pool_.on_granted(message.tops.size());
  for (const TaskId top : message.tops) {
    if (is_own(top)) {
      tasks_->permit(top);
    } else {
      layout_.take_unit(top);
      tasks_->take_guests(top);
    }
  }
  answer_put_off();
}

}  // namespace frond
