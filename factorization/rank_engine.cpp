// SPDX-License-Identifier: BSD-3-Clause
// Events of one rank among several: tasks, steps, messages, and the common end.
#include "factorization/rank_engine.hpp"

#include <algorithm>
#include <utility>

#include "matrices/error.hpp"

namespace frond {

RankEngine::RankEngine(const RankContext& context, RankEngineOptions options)
    : context_(context),
      options_(std::move(options)),
      engine_(context.graph, context.numerics, options_.tasks),
      outbox_(context.channel) {
  const TaskGraph& graph = context.graph;
  for (TaskId id = 0; id < graph.num_tasks(); ++id) {
    const Task& task = graph.task(id);
    if (task.rank == me() && task.type != NodeType::sequential) {
      num_undecided_ += task.type == NodeType::row_distributed ? 1 : 0;
      fronts_[id].children_left = task.num_children;
    }
    if (!graph.is_direct(id)) {
      num_outputs_left_ += task.rank == me() ? 1 : 0;
      if (const Task& parent = graph.task(task.parent); parent.rank == me()) {
        fronts_[task.parent].children_left = parent.num_children;
      }
    }
  }
  for (auto& [id, front] : fronts_) {
    front.plan.task = id;
  }
  engine_.hold_back();
}

// Handles an event, and what follows from it on this rank. What is thrown meanwhile is a failure like any other: no rank leaves the
// others alone.
template <class Handler>
void RankEngine::handle(Handler handler) {
  try {
    handler();
    receive_local();
    if (!failure_) {
      advance_decisions();
      receive_local();
      advance_parts();
      tell_free_memory();
      tell_load();
      start_tasks();
    }
  } catch (...) {
    note_failure(std::current_exception());
  }
  end_if_done();
}

void RankEngine::start() {
  handle([this] {
    engine_.start();
    for (auto& [id, front] : fronts_) {
      if (front.children_left == 0) {
        children_known(id, front);
      }
    }
    if (num_undecided_ == 0) {
      context_.loads.with_exchange([](LoadExchange& exchange) { exchange.no_more_master(); });
    }
  });
}

void RankEngine::on_assembled(TaskId id) {
  handle([this, id] { engine_.on_assembled(id); });
}

void RankEngine::on_finished(TaskId id) {
  handle([this, id] {
    announce(id);
    engine_.on_finished(id);
  });
}

void RankEngine::on_step(FrontPart id, PartStep step) {
  handle([&] {
    if (failure_) {
      return;
    }
    Part& part = parts_.at(id);
    part.is_busy = false;
    part.goes_on = step.goes_on;
    for (const PartMessage& message : step.messages) {
      send(message.to, FrontMessage{{id.task, message.role}, *message.body});
    }
    if (step.finished) {
      finish_part(id);
    }
  });
}

void RankEngine::stop() { engine_.stop(); }

void RankEngine::fail(const std::exception_ptr& exception) {
  handle([&] { std::rethrow_exception(exception); });
}

void RankEngine::on_message(const ReceivedMessage& message) {
  handle([&] {
    const MainMessage decoded = decode_main_message(message.bytes());
    std::visit([&](const auto& content) { receive(message.from(), content); }, decoded);
  });
}

void RankEngine::on_room() {
  handle([this] { pump(); });
}

bool RankEngine::on_load_event() {
  if (failure_ || (undecided_.empty() && !is_blocked_)) {
    return false;
  }
  const Count before = counts_.decisions + engine_.num_started();
  handle([] {});
  return counts_.decisions + engine_.num_started() > before;
}

void RankEngine::receive_local() {
  while (!local_.empty()) {
    const std::vector<std::byte> bytes = std::move(local_.front());
    local_.pop_front();
    const MainMessage decoded = decode_main_message(bytes);
    std::visit([&](const auto& content) { receive(me(), content); }, decoded);
  }
}

// The load exchange hears of own tasks what has changed since it last did.
void RankEngine::tell_load() {
  const Load load{engine_.pending_flops(), engine_.active_bytes()};
  if (const Load change = load - told_; change != Load{}) {
    context_.loads.with_exchange([&change](LoadExchange& exchange) { exchange.vary(change); });
    told_ = load;
  }
}

// Asking whether the exchange is blocked and starting tasks are one step. Where memory is balanced, a rank takes no task ahead of
// its turn that would make it hold more than was planned and more than any other rank holds.
void RankEngine::start_tasks() {
  context_.loads.with_exchange([this](const LoadExchange& exchange) {
    if (options_.selection.schedule == Schedule::memory) {
      Count most_bytes = options_.planned_peak_bytes;
      for (Rank rank = 0; rank < exchange.num_ranks(); ++rank) {
        most_bytes = std::max(most_bytes, rank == me() ? 0 : exchange.view()[static_cast<std::size_t>(rank)].bytes);
      }
      engine_.set_soft_limit(most_bytes);
    }
    is_blocked_ = exchange.is_blocked();
    if (!is_blocked_) {
      engine_.release();
      engine_.hold_back();
    }
  });
}

void RankEngine::receive(Rank from, const DoneMessage& /*message*/) {
  if (from == 0) {
    all_done_ = true;
  } else {
    ++num_done_;
  }
}

void RankEngine::receive(Rank /*from*/, const FailureMessage& message) {
  ++num_failed_;
  take_failure(message.failure);
}

void RankEngine::send(Rank to, const MainMessage& message) {
  if (to == me()) {
    local_.push_back(encode(message));
    return;
  }
  outbox_.send(to, encode(message));
}

// Sends what waits, then streams, until the channel is full.
void RankEngine::pump() {
  outbox_.pump();
  while (outbox_.empty() && !outgoing_.empty() && send_next_piece()) {
  }
}

void RankEngine::end_if_done() {
  if (failure_) {
    ended_ = num_failed_ == context_.channel.num_ranks() - 1 && outbox_.empty();
    return;
  }
  if (!said_done_ && engine_.finished() && num_outputs_left_ == 0 && num_refusals_left_ == 0) {
    said_done_ = true;
    if (me() == 0) {
      ++num_done_;
    } else {
      send(0, DoneMessage{});
    }
  }
  if (num_done_ == context_.channel.num_ranks()) {  // rank 0 only
    num_done_ = 0;
    all_done_ = true;
    for (Rank rank = 1; rank < context_.channel.num_ranks(); ++rank) {
      send(rank, DoneMessage{});
    }
  }
  ended_ = all_done_ && outbox_.empty();
}

// Once all ranks have nothing left to do nothing can fail any more: others may have ended already.
void RankEngine::note_failure(const std::exception_ptr& exception) {
  if (!failure_ && !all_done_) {
    take_failure(make_failure(me(), exception));
  }
}

// If the ranks of the root's grid were told to enter, and this one has not.
void RankEngine::abandon_root() {
  for (const auto& [id, part] : parts_) {
    if (id.role == PartRole::grid && !part.mailbox.empty()) {
      context_.parts.abandon_root();
    }
  }
  receive_local();
}

// Of several failures the one of the lowest rank counts, on all ranks.
void RankEngine::take_failure(const Failure& failure) {
  if (!failure_) {
    engine_.stop();
    outgoing_.clear();
    failure_ = failure;
    for (Rank rank = 0; rank < context_.channel.num_ranks(); ++rank) {
      if (rank != me()) {
        send(rank, FailureMessage{failure});
      }
    }
    abandon_root();
  } else if (failure.origin < failure_->origin) {
    failure_ = failure;
  }
}

}  // namespace frond
