// SPDX-License-Identifier: BSD-3-Clause
// Grants units by the rule of the pool.
#include "factorization/ranks/rank_pool.hpp"

#include <map>
#include <utility>

namespace frond {

// A single rank needs no permission.
void RankPool::set_up() {
  units_.reset();
  num_granted_ = 0;
  const std::span<const Rank> members = context_.mapping.members();
  if (!is_used() || members.size() < 2) {
    return;
  }
  for (const TaskId top : pool_units(context_.graph, members.size())) {
    if (task_of(top).rank == me()) {
      tasks_->withhold(top);
    }
  }
  if (members.front() == me()) {
    units_.emplace(context_.graph, members, options_.chunks);
  }
}

PoolRequestMessage RankPool::request(Count free_bytes) {
  const double asked_before = std::exchange(asked_at_, now());
  return {free_bytes, {std::exchange(num_granted_, 0), asked_at_ - granted_at_, asked_at_ - asked_before}};
}

void RankPool::on_granted(std::size_t num_units) {
  num_granted_ = static_cast<Index>(num_units);
  granted_at_ = now();
}

void RankPool::receive(Rank from, const PoolRequestMessage& message) {
  units_->note(from, message.done);
  const std::vector<TaskId> tops = units_->take(from, message.free_bytes);
  if (tops.empty()) {
    mail_.send(from, StealMessage{from, message.free_bytes, {}, units_->num_left(), units_->num_left() == 0});
    return;
  }
  std::map<Rank, std::vector<TaskId>> of_others;
  for (const TaskId top : tops) {
    if (const Rank owner = task_of(top).rank; owner != from) {
      of_others[owner].push_back(top);
    }
  }
  for (const auto& [owner, given] : of_others) {
    mail_.send(owner, GivenMessage{given});
  }
  mail_.send(from, GrantMessage{tops});
}

void RankPool::receive(Rank /*from*/, const GivenMessage& message) {
  for (const TaskId top : message.tops) {
    tasks_->give(top);
    layout_.give_unit(top);
  }
}

}  // namespace frond
