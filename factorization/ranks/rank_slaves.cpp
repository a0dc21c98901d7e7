// SPDX-License-Identifier: BSD-3-Clause
// Decides when the load exchange allows it, and decides again when a slave lacks memory.
#include "factorization/ranks/rank_slaves.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace frond {

void RankSlaves::set_up() {
  choices_.clear();
  undecided_.clear();
  num_undecided_ = 0;
  for (TaskId id = 0; id < context_.graph.num_tasks(); ++id) {
    const Task& task = task_of(id);
    num_undecided_ += task.rank == me() && !task.is_held && task.type == NodeType::row_distributed ? 1 : 0;
  }
}

// A rank that has no fronts to distribute may get some by a new plan.
void RankSlaves::begin() {
  if (num_undecided_ == 0) {
    no_more_master();
  }
}

void RankSlaves::no_more_master() {
  if (context_.recovery.plan == nullptr) {
    context_.loads.with_exchange([](LoadExchange& exchange) { exchange.no_more_master(); });
  }
}

void RankSlaves::choose(FrontPlan plan) {
  const TaskId id = plan.task;
  Choice& choice = choices_[id];
  choice.plan = std::move(plan);
  if (task_of(id).type == NodeType::row_distributed) {
    undecided_.push_back(id);
    return;
  }
  parts_.add_master(id);
  choice.answers_left = context_.graph.root_grid().ranks.size();
  for (const Rank rank : context_.graph.root_grid().ranks) {
    mail_.send(rank, SlaveTaskMessage{choice.plan});
  }
}

// Fronts for which slaves were asked in vain start over after the pause; ranks that have refused need not report free memory.
void RankSlaves::give_up_choices() {
  for (const auto& [task, missing_bytes] : starved_) {
    undecided_.push_back(task);
  }
  starved_.clear();
  for (const TaskId task : undecided_) {
    Choice& choice = choices_.at(task);
    if (is_deciding_ && task == undecided_.front()) {
      continue;
    }
    for (const auto& [slave, capacity] : choice.refused) {
      mail_.send(slave, SettleMessage{task, true});
      ++num_refusals_left_;
    }
    choice.refused.clear();
  }
}

void RankSlaves::advance() {
  if (undecided_.empty() || (tasks_.is_paused() && !is_deciding_)) {
    return;
  }
  Choice& choice = choices_.at(undecided_.front());
  const bool is_decided = context_.loads.with_exchange([&](LoadExchange& exchange) {
    if (!may_decide(exchange, choice.plan.task)) {
      return false;
    }
    decide(exchange, choice);
    return true;
  });
  if (is_decided) {
    is_deciding_ = false;
    undecided_.pop_front();
    ask(choice);
  }
}

// Asks the load exchange for a decision, once, and returns whether it may be taken now.
bool RankSlaves::may_decide(LoadExchange& exchange, TaskId id) {
  if (!is_deciding_) {
    if (exchange.is_blocked()) {
      return false;
    }
    const std::span<const Rank> all = candidates(id);
    std::vector<Rank> others;
    std::copy_if(all.begin(), all.end(), std::back_inserter(others), [this](Rank rank) { return rank != me(); });
    exchange.want_to_decide(others);
    is_deciding_ = true;
  }
  return exchange.may_decide();
}

void RankSlaves::decide(LoadExchange& exchange, Choice& choice) {
  const Selection selection = select(choice, exchange);
  std::vector<Assignment> assignments;
  choice.plan.shares.clear();
  for (const RowBlock& block : selection.blocks) {
    choice.plan.shares.push_back({block.rank, block.row_begin, block.row_end});
    if (block.rank != me()) {
      assignments.push_back({block.rank, block.load});
    }
  }
  if (options_.watch_decision) {
    options_.watch_decision(exchange, assignments);
  }
  exchange.decide(assignments);
  ++counts_.decisions;
  counts_.slaves_chosen += static_cast<Count>(assignments.size());
  if (selection.blocks.empty()) {
    starved_[choice.plan.task] = selection.missing_bytes;
  }
}

// Asks all chosen slaves; there are none if no choice has enough memory.
void RankSlaves::ask(Choice& choice) {
  choice.answers_left = choice.plan.shares.size();
  choice.accepted.clear();
  for (const RowShare& share : choice.plan.shares) {
    mail_.send(share.rank, SlaveTaskMessage{choice.plan});
  }
}

// The master itself is a candidate: what it has to do for this front already counts.
Selection RankSlaves::select(const Choice& choice, const LoadExchange& exchange) const {
  std::vector<Load> view(exchange.view().begin(), exchange.view().end());
  view[me()].flops += task_of(choice.plan.task).own_flops;
  SelectionOptions selection = options_.selection;
  if (options_.follows_paces) {
    selection.slowness = exchange.paces().slowness();
  }
  for (const auto& [rank, capacity] : choice.refused) {
    selection.most_bytes[rank] = capacity.bytes;
  }
  return select_slaves(context_.shared_front(choice.plan), candidates(choice.plan.task), view, selection);
}

void RankSlaves::receive(Rank from, const FreeMemoryMessage& message) {
  const auto found = choices_.find(message.task);
  if (found == choices_.end()) {
    return;  // others have taken the rows
  }
  const auto refused = found->second.refused.find(from);
  if (refused == found->second.refused.end()) {
    return;  // a pause has begun in between
  }
  Capacity& capacity = refused->second;
  capacity.bytes = static_cast<Count>(static_cast<double>(message.free_bytes) / capacity.overhead);
  if (starved_.erase(message.task) > 0) {
    undecided_.push_back(message.task);
  }
}

Count RankSlaves::missing_bytes() const {
  Count bytes = 0;
  for (const auto& [task, missing] : starved_) {
    bytes = std::max(bytes, missing);
  }
  return bytes;
}

// The next share is smaller by at least a quarter, whatever the estimates say.
void RankSlaves::note_refusal(Choice& choice, Rank slave, const SlaveAnswerMessage& message) const {
  const RowShare& share = share_of(choice.plan.shares, slave);
  const Count share_bytes = block_load(context_.shared_front(choice.plan), share.row_begin, share.row_end).bytes;
  Capacity& capacity = choice.refused[slave];
  capacity.overhead = std::max(capacity.overhead, static_cast<double>(message.needed_bytes) / static_cast<double>(share_bytes));
  capacity.bytes =
      std::min(static_cast<Count>(static_cast<double>(message.free_bytes) / capacity.overhead), share_bytes - share_bytes / 4 - 1);
}

void RankSlaves::receive(Rank from, const SlaveAnswerMessage& message) {
  Choice& choice = choices_.at(message.task);
  if (!message.is_accepted) {
    note_refusal(choice, from, message);
  } else {
    choice.accepted.insert(from);
  }
  if (--choice.answers_left > 0) {
    return;
  }
  if (task_of(message.task).type == NodeType::grid_distributed) {
    conclude(message.task);
  } else {
    settle(choice);
  }
}

// Called when all slaves have answered.
void RankSlaves::settle(Choice& choice) {
  const TaskId task = choice.plan.task;
  const bool is_settled = choice.accepted.size() == choice.plan.shares.size();
  std::set<Rank> concerned = choice.accepted;
  if (is_settled) {
    std::for_each(choice.refused.begin(), choice.refused.end(), [&](const auto& one) { concerned.insert(one.first); });
    num_refusals_left_ += static_cast<Index>(choice.refused.size());
  }
  for (const Rank slave : concerned) {
    mail_.send(slave, SettleMessage{task, is_settled});
  }
  if (!is_settled) {
    undecided_.push_back(task);
    return;
  }
  if (--num_undecided_ == 0) {
    no_more_master();
  }
  parts_.add_master(task);
  conclude(task);
}

void RankSlaves::conclude(TaskId id) {
  const FrontPlan plan = std::move(choices_.at(id).plan);
  choices_.erase(id);
  host_.on_settled(plan);
}

void RankSlaves::receive(Rank /*from*/, const RefusalEndMessage& /*message*/) { --num_refusals_left_; }

}  // namespace frond
