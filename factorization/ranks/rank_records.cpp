// SPDX-License-Identifier: BSD-3-Clause
// Brings the ranks to rest together and lets them continue by a new plan, so that some of them may leave.
#include <algorithm>

#include "analysis/mapping/moved_subtrees.hpp"
#include "factorization/ranks/rank_engine.hpp"
#include "frond/error.hpp"
#include "loadinfo/messages/byte_stream.hpp"

namespace frond {

bool RankEngine::drain(std::span<const Rank> leaving, const std::string& folder) {
  if (context_.recovery.plan == nullptr) {
    throw UsageError("No process can leave this factorization: its fronts do not move.");
  }
  if (pause_.is_on || has_failed() || end_.is_decided()) {
    return false;
  }
  const std::span<const Rank> members = context_.mapping.members();
  std::vector<Rank> all;  // that have no part afterwards
  for (Rank rank = 0; rank < num_ranks(); ++rank) {
    const bool has_left = !std::binary_search(members.begin(), members.end(), rank);
    if (has_left || std::binary_search(leaving.begin(), leaving.end(), rank)) {
      all.push_back(rank);
    }
  }
  if (all.size() + members.size() == static_cast<std::size_t>(num_ranks())) {
    return true;  // they have left already, perhaps an earlier factorization
  }
  handle([&] {
    refusal_.reset();
    ++counts_.pauses;
    const PauseMessage message{pause_.number + 1, true, all};
    send_to_others(message);
    pause(message);
    pause_.folder = folder;
  });
  return true;
}

void RankEngine::pause(const PauseMessage& message) {
  pause_.number = message.number;
  pause_.is_on = true;
  pause_.has_told = false;
  pause_.leaving = message.leaving;
  pause_.others.assign(static_cast<std::size_t>(context_.channel.num_ranks()), std::nullopt);
  end_.renew();
  engine_->pause(true);
}

void RankEngine::receive(Rank /*from*/, const PauseMessage& message) {
  if (has_failed()) {
    return;
  }
  if (message.is_on) {
    pause(message);
  } else {
    go_on();
  }
}

// Continues as if there had been no pause.
void RankEngine::go_on() {
  pause_.is_on = false;
  engine_->pause(false);
  std::deque<TaskId> unlaid;
  unlaid.swap(unlaid_);
  for (const TaskId id : unlaid) {
    children_known(id, fronts_.at(id));
  }
}

// Called after all consequences of an event. Returns whether they have ended the pause: what was put off then continues.
bool RankEngine::look_after_pause() {
  if (!pause_.is_on) {
    return false;
  }
  give_up_choices();
  receive_local();
  if (is_at_rest()) {
    if (me() == 0) {
      make_record();
    } else if (!pause_.has_told) {
      pause_.has_told = true;
      send(0, rest());
    }
  } else if (!is_blocked_ && engine_->is_stuck() && outgoing_.empty() && arriving_.empty()) {
    send(0, StuckMessage{pause_.number});
    receive_local();
  }
  return !pause_.is_on;
}

// Fronts for which slaves were asked in vain start over after the pause; ranks that have refused need not report free memory.
void RankEngine::give_up_choices() {
  for (const auto& [task, missing_bytes] : starved_) {
    undecided_.push_back(task);
  }
  starved_.clear();
  for (const TaskId task : undecided_) {
    GatheredFront& front = fronts_.at(task);
    if (is_deciding_ && task == undecided_.front()) {
      continue;
    }
    for (const auto& [slave, capacity] : front.refused) {
      send(slave, SettleMessage{task, true});
      ++num_refusals_left_;
    }
    front.refused.clear();
  }
}

// True if no front is under way here. A front that has been laid out has parts or streams to come; one that has asked for slaves is
// awaited by them.
bool RankEngine::is_at_rest() const {
  return engine_->is_at_rest() && parts_.empty() && outgoing_.empty() && outgoing_moves_.empty() && coming_.empty() &&
         arriving_.empty() && refusals_.empty() && num_refusals_left_ == 0 && !is_deciding_;
}

RestMessage RankEngine::rest() const {
  RestMessage message;
  message.number = pause_.number;
  message.num_received = num_received_;
  message.num_sent = num_sent_;
  for (TaskId id = 0; id < context_.graph.num_tasks(); ++id) {
    if (const Task& task = context_.graph.task(id); engine_->is_finished(id)) {
      message.finished.push_back(task.node_begin);
      message.finished.push_back(task.node_end);
    }
  }
  const auto leaves = [this](const RowShare& share) {
    return std::binary_search(pause_.leaving.begin(), pause_.leaving.end(), share.rank);
  };
  for (const auto& [node, shares] : context_.recovery.fronts->shared_fronts()) {
    if (std::any_of(shares.begin(), shares.end(), leaves)) {
      message.shared.push_back({node, shares});
    }
  }
  message.taken = taken_nodes();
  message.free_bytes = context_.parts.free_bytes();
  return message;
}

void RankEngine::receive(Rank from, const RestMessage& message) {
  if (pause_.is_on && message.number == pause_.number) {
    pause_.others[static_cast<std::size_t>(from)] = message;
  }
}

// True if each rank has received what all have sent to it: then no rank has moved since it reported, and no message is on its way.
bool RankEngine::all_rest() const {
  const auto num_ranks = static_cast<std::size_t>(context_.channel.num_ranks());
  std::vector<Count> num_sent = num_sent_;
  for (std::size_t rank = 1; rank < num_ranks; ++rank) {
    if (!pause_.others[rank]) {
      return false;
    }
    for (std::size_t to = 0; to < num_ranks; ++to) {
      num_sent[to] += pause_.others[rank]->num_sent[to];
    }
  }
  for (std::size_t rank = 0; rank < num_ranks; ++rank) {
    if (num_sent[rank] != (rank == 0 ? num_received_ : pause_.others[rank]->num_received)) {
      return false;
    }
  }
  return true;
}

// Rank 0 makes the plan when all are at rest. If there is no plan, all continue as before.
void RankEngine::make_record() {
  if (!all_rest()) {
    return;
  }
  pause_.others[0] = rest();
  std::vector<std::vector<NodeId>> taken;
  for (const std::optional<RestMessage>& one : pause_.others) {
    taken.push_back(one->taken);
  }
  const Mapping mapping = with_moved(context_.tree, context_.mapping, moved_subtrees(taken));
  RestingState state{context_.tree, context_.method, context_.scalar_bytes, mapping, finished_, {}, {}};
  state.finished.resize(static_cast<std::size_t>(context_.tree.num_nodes()), Finished::no);
  for (const std::optional<RestMessage>& one : pause_.others) {
    for (std::size_t k = 0; k < one->finished.size(); k += 2) {
      std::fill(state.finished.begin() + one->finished[k], state.finished.begin() + one->finished[k + 1], Finished::held);
    }
    for (const DealtFront& front : one->shared) {
      state.shares[front.node] = front.shares;
    }
    state.free_bytes.push_back(one->free_bytes);
  }
  RecoveryPlan plan;
  try {
    plan = plan_recovery(state, pause_.leaving);
  } catch (const std::exception&) {
    refuse(std::current_exception());
    return;
  }
  plan.number = record_ + 1;
  plan.folder = pause_.folder;
  send_to_others(RecordMessage{encode(plan)});
  adopt(plan);
}

void RankEngine::refuse(const std::exception_ptr& exception) {
  refusal_ = make_failure(me(), exception);
  send_to_others(PauseMessage{pause_.number, false, {}});
  go_on();
}

// Without a refusal the rank would wait forever.
void RankEngine::receive(Rank from, const StuckMessage& message) {
  if (pause_.is_on && message.number == pause_.number) {
    refuse(std::make_exception_ptr(MemoryError(
        "rank " + std::to_string(from) + ": what is under way waits for memory that only other fronts would free; ask again", 0,
        0)));
  }
}

void RankEngine::receive(Rank /*from*/, const RecordMessage& message) {
  if (!has_failed()) {
    ByteReader reader(message.plan);
    adopt(read_recovery_plan(reader, context_.mapping));
  }
}

void RankEngine::adopt(const RecoveryPlan& plan) {
  const auto sum_of = [](const std::map<FrontPart, Count>& held) {
    Count bytes = 0;
    for (const auto& [part, held_bytes] : held) {
      bytes += held_bytes;
    }
    return bytes;
  };
  const Count held_before = sum_of(held_bytes_);
  const PlanInForce::Terms terms = context_.recovery.plan->adopt(plan);
  options_.planned_peak_bytes = terms.planned_peak_bytes;
  record_ = plan.number;
  ++counts_.records;
  finished_ = plan.finished;
  pause_.is_on = false;
  search_.restart(plan.mapping.members());
  put_off_.clear();
  fronts_.clear();
  undecided_.clear();
  unlaid_.clear();
  streams_to_send_.clear();
  num_undecided_ = num_outputs_left_ = 0;
  std::fill(num_sent_.begin(), num_sent_.end(), 0);
  num_received_ = 0;
  held_bytes_ = context_.recovery.fronts->held_rows();
  const Count held_now = sum_of(held_bytes_);
  context_.loads.with_exchange([&](LoadExchange& exchange) { exchange.vary({0, held_now - held_before}); });
  begin_moves(plan);
  std::vector<TaskId> coming;
  for (const auto& [part, bytes] : coming_) {
    const TaskId task = context_.graph.task_of_front(part.node);
    if (part.role == PartRole::master && task != kNoTask && context_.graph.task(task).is_held) {
      coming.push_back(task);
    }
  }
  std::sort(coming.begin(), coming.end());
  set_up_tasks(terms.ahead_limit_bytes, std::move(coming));
  begin_tasks();
  std::deque<std::pair<Rank, std::vector<std::byte>>> later;
  later.swap(later_);
  for (const auto& [from, bytes] : later) {
    take_message(from, bytes);
  }
  pump();
}

}  // namespace frond
