// SPDX-License-Identifier: BSD-3-Clause
// Pauses, reports, and the plans that follow.
#include "factorization/ranks/rank_records.hpp"

#include <algorithm>

#include "analysis/mapping/moved_subtrees.hpp"
#include "frond/error.hpp"
#include "loadinfo/messages/byte_stream.hpp"

namespace frond {

std::vector<Rank> RankRecords::all_without(std::span<const Rank> leaving) const {
  const std::span<const Rank> members = context_.mapping.members();
  std::vector<Rank> all;
  for (Rank rank = 0; rank < context_.channel.num_ranks(); ++rank) {
    const bool has_left = !std::binary_search(members.begin(), members.end(), rank);
    if (has_left || std::binary_search(leaving.begin(), leaving.end(), rank)) {
      all.push_back(rank);
    }
  }
  const bool have_left = all.size() + members.size() == static_cast<std::size_t>(context_.channel.num_ranks());
  return have_left ? std::vector<Rank>() : all;
}

void RankRecords::begin(const std::vector<Rank>& leaving, const std::string& folder) {
  refusal_.reset();
  const PauseMessage message{pause_.number + 1, true, leaving};
  mail_.send_to_others(message);
  pause(message);
  pause_.folder = folder;
}

void RankRecords::pause(const PauseMessage& message) {
  pause_ = {message.number, {}, message.leaving, {}, {}};
  pause_.others.resize(static_cast<std::size_t>(context_.channel.num_ranks()));
  end_.renew();
  tasks_.pause(true);
}

void RankRecords::receive(Rank /*from*/, const PauseMessage& message) {
  if (message.is_on) {
    pause(message);
  } else {
    go_on();
  }
}

// Continues as if there had been no pause.
void RankRecords::go_on() {
  tasks_.pause(false);
  layout_.go_on();
}

void RankRecords::advance() {
  if (host_.is_at_rest()) {
    if (me() == 0) {
      make_record();
    } else if (pause_.reported_at != mail_.num_received()) {
      pause_.reported_at = mail_.num_received();
      mail_.send(0, rest());
    }
  } else if (!tasks_.is_blocked() && tasks_->is_stuck() && streams_.is_at_rest()) {
    const StuckMessage message{pause_.number};
    if (me() == 0) {
      receive(0, message);
    } else {
      mail_.send(0, message);
    }
  }
}

RestMessage RankRecords::rest() const {
  RestMessage message;
  message.number = pause_.number;
  message.num_received = mail_.num_received();
  message.num_sent = mail_.num_sent();
  for (TaskId id = 0; id < context_.graph.num_tasks(); ++id) {
    if (const Task& task = task_of(id); tasks_->is_finished(id)) {
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
  message.taken = tasks_.taken_nodes();
  message.free_bytes = context_.parts.free_bytes();
  return message;
}

void RankRecords::receive(Rank from, const RestMessage& message) {
  if (is_of_this_pause(message.number)) {
    pause_.others[from] = message;
  }
}

// True if each rank has received what all have sent to it: then no rank has moved since it reported, and no message is on its way.
bool RankRecords::all_rest() const {
  const std::size_t num_ranks = pause_.others.size();
  std::vector<Count> num_sent = mail_.num_sent();
  for (std::size_t rank = 1; rank < num_ranks; ++rank) {
    if (!pause_.others[rank]) {
      return false;
    }
    for (std::size_t to = 0; to < num_ranks; ++to) {
      num_sent[to] += pause_.others[rank]->num_sent[to];
    }
  }
  for (std::size_t rank = 0; rank < num_ranks; ++rank) {
    if (num_sent[rank] != (rank == 0 ? mail_.num_received() : pause_.others[rank]->num_received)) {
      return false;
    }
  }
  return true;
}

// Rank 0 makes the plan when all are at rest. If there is no plan, all continue as before.
void RankRecords::make_record() {
  if (!all_rest()) {
    return;
  }
  pause_.others[0] = rest();
  std::vector<std::vector<NodeId>> taken;
  for (const std::optional<RestMessage>& one : pause_.others) {
    taken.push_back(one->taken);
  }
  const Mapping mapping = with_moved(context_.tree, context_.mapping, moved_subtrees(taken));
  const RestingState state = resting_state(mapping);
  RecoveryPlan plan;
  try {
    plan = plan_recovery(state, pause_.leaving);
  } catch (const std::exception&) {
    refuse(std::current_exception());
    return;
  }
  plan.number = mail_.record() + 1;
  plan.folder = pause_.folder;
  mail_.send_to_others(RecordMessage{encode(plan)});
  adopt(plan);
}

RestingState RankRecords::resting_state(const Mapping& mapping) const {
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
  return state;
}

void RankRecords::refuse(const std::exception_ptr& exception) {
  refusal_ = make_failure(me(), exception);
  mail_.send_to_others(PauseMessage{pause_.number, false, {}});
  go_on();
}

// Without a refusal the rank would wait forever.
void RankRecords::receive(Rank from, const StuckMessage& message) {
  if (is_of_this_pause(message.number)) {
    refuse(std::make_exception_ptr(MemoryError(
        "rank " + std::to_string(from) + ": what is under way waits for memory that only other fronts would free; ask again", 0,
        0)));
  }
}

void RankRecords::receive(Rank /*from*/, const RecordMessage& message) {
  ByteReader reader(message.plan);
  adopt(read_recovery_plan(reader, context_.mapping));
}

void RankRecords::adopt(const RecoveryPlan& plan) {
  finished_ = plan.finished;
  host_.adopt(plan);
}

}  // namespace frond
