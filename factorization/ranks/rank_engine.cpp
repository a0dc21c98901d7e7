// SPDX-License-Identifier: BSD-3-Clause
// Handles the events of one of several ranks: tasks, steps, messages, and the common end.
#include "factorization/ranks/rank_engine.hpp"

#include <algorithm>
#include <utility>

#include "frond/error.hpp"

namespace frond {
namespace {

// True if other ranks may wait for what follows from the message.
bool is_work(const MainMessage& message) {
  return !std::holds_alternative<PauseMessage>(message) && !std::holds_alternative<RestMessage>(message) &&
         !std::holds_alternative<StuckMessage>(message) && !std::holds_alternative<RecordMessage>(message);
}

}  // namespace

RankEngine::RankEngine(const RankContext& context, RankEngineOptions options)
    : context_(context),
      options_(std::move(options)),
      outbox_(context.channel),
      search_(options_.sharing, context.channel.rank(), context.mapping.members(), options_.sharing_seed),
      finished_(context.finished),
      num_sent_(static_cast<std::size_t>(context.channel.num_ranks()), 0) {
  set_up_tasks(options_.tasks.ahead_limit_bytes, {});
}

void RankEngine::set_up_tasks(Count ahead_limit_bytes, std::vector<TaskId> coming) {
  EngineOptions tasks = options_.tasks;
  tasks.ahead_limit_bytes = ahead_limit_bytes;
  tasks.coming = std::move(coming);
  const TaskGraph& graph = context_.graph;
  engine_.emplace(graph, context_.numerics, std::move(tasks));
  for (TaskId id = 0; id < graph.num_tasks(); ++id) {
    const Task& task = graph.task(id);
    if (task.rank == me() && !task.is_held && task.type != NodeType::sequential) {
      num_undecided_ += task.type == NodeType::row_distributed ? 1 : 0;
      gather(id);
    }
    if (!graph.is_direct(id) && !(task.is_stored && graph.has_stored_children_alone(task.parent))) {
      num_outputs_left_ += task.rank == me() && !task.is_stored && !task.may_move ? 1 : 0;
      if (graph.task(task.parent).rank == me()) {
        gather(task.parent);
      }
    }
  }
  engine_->hold_back();
  most_guest_bytes_ = most_guest_bytes();
  set_up_pool();
}

// Registers an own front in which other ranks take part, or whose children are not known beforehand to stay in place.
RankEngine::GatheredFront& RankEngine::gather(TaskId id) {
  GatheredFront& front = fronts_[id];
  front.children_left = context_.graph.task(id).num_children;
  front.plan.task = id;
  front.plan.master = me();
  return front;
}

// Handles an event, and what follows from it on this rank. An exception meanwhile is a failure like any other: no rank leaves the
// others alone.
void RankEngine::handle(const std::function<void()>& handler) {
  try {
    handler();
    receive_local();
    for (bool goes_on = true; goes_on && !has_failed();) {
      advance_decisions();
      receive_local();
      advance_parts();
      tell_free_memory();
      tell_load();
      start_tasks();
      seek_work();
      const bool has_own_answer = !local_.empty();  // of the pool: there may be something to start
      receive_local();
      goes_on = look_after_pause() || has_own_answer;
    }
  } catch (...) {
    end_.fail(std::current_exception());
  }
  if (has_failed()) {
    stop_all();
  } else if (!pause_.is_on && has_finished()) {
    end_.finish();
  }
}

void RankEngine::start() {
  handle([this] { begin_tasks(); });
}

// A rank that has no fronts to distribute may get some by a new plan.
void RankEngine::begin_tasks() {
  engine_->start();
  for (auto& [id, front] : fronts_) {
    if (front.children_left == 0) {
      children_known(id, front);
    }
  }
  stored_children_known();
  announce_held_tasks();
  if (num_undecided_ == 0) {
    no_more_master();
  }
}

void RankEngine::no_more_master() {
  if (context_.recovery.plan == nullptr) {
    context_.loads.with_exchange([](LoadExchange& exchange) { exchange.no_more_master(); });
  }
}

void RankEngine::on_assembled(TaskId id) {
  handle([this, id] { engine_->on_assembled(id); });
}

void RankEngine::on_finished(TaskId id) {
  handle([this, id] {
    announce(id);
    engine_->on_finished(id);
  });
}

void RankEngine::on_timed(TaskId id, double seconds) { pace_.note(context_.graph.task(id).cost, seconds); }

void RankEngine::on_step(FrontPart id, PartStep step) {
  handle([&] {
    if (has_failed()) {
      return;
    }
    Part& part = parts_.at(id);
    part.is_busy = false;
    part.goes_on = step.goes_on;
    for (const PartMessage& message : step.messages) {
      send_to_parts(id.task, message);
    }
    if (step.finished) {
      finish_part(id);
    }
  });
}

void RankEngine::stop() { engine_->stop(); }

void RankEngine::fail(const std::exception_ptr& exception) { fail(make_failure(me(), exception)); }

void RankEngine::fail(const Failure& failure) {
  handle([&] { end_.fail(failure); });
}

void RankEngine::on_message(const ReceivedMessage& message) {
  handle([&] {
    ByteReader reader(message.bytes());
    if (end_.receive(reader.value<std::uint8_t>(), message.from(), reader)) {
      return;
    }
    end_.resume();
    take_message(message.from(), message.bytes());
  });
}

void RankEngine::take_message(Rank from, std::span<const std::byte> bytes) {
  if (record_of_main_message(bytes) > record_) {
    ++counts_.put_aside;
    later_.emplace_back(from, std::vector<std::byte>(bytes.begin(), bytes.end()));
    return;
  }
  const MainMessage decoded = decode_main_message(bytes);
  if (is_work(decoded)) {
    ++num_received_;
    pause_.has_told = false;
  }
  std::visit([&](const auto& content) { receive(from, content); }, decoded);
}

void RankEngine::on_room() {
  handle([this] { pump(); });
}

bool RankEngine::on_load_event() {
  if (has_failed() || (undecided_.empty() && !is_blocked_)) {
    return false;
  }
  const Count before = counts_.decisions + engine_->num_started();
  handle([] {});
  return counts_.decisions + engine_->num_started() > before;
}

void RankEngine::receive_local() {
  while (!local_.empty()) {
    const std::vector<std::byte> bytes = std::move(local_.front());
    local_.pop_front();
    const MainMessage decoded = decode_main_message(bytes);
    std::visit([&](const auto& content) { receive(me(), content); }, decoded);
  }
}

// Reports to the load exchange what has changed in the load of own tasks since the last report.
void RankEngine::tell_load() {
  const Load load{engine_->pending_flops(), engine_->active_bytes()};
  if (const Load change = load - told_; change != Load{}) {
    context_.loads.with_exchange([&](LoadExchange& exchange) {
      exchange.set_pace(pace());
      exchange.vary(change);
    });
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
      engine_->set_soft_limit(most_bytes);
    }
    is_blocked_ = exchange.is_blocked();
    if (!is_blocked_) {
      engine_->release();
      engine_->hold_back();
    }
  });
}

void RankEngine::send(Rank to, const MainMessage& message, Count num_ghost_bytes) {
  if (to == me()) {
    local_.push_back(encode(message, record_));
    return;
  }
  if (is_work(message)) {
    ++num_sent_[static_cast<std::size_t>(to)];
  }
  outbox_.send(to, encode(message, record_), num_ghost_bytes);
}

void RankEngine::send_to_others(const MainMessage& message) {
  for (Rank rank = 0; rank < context_.channel.num_ranks(); ++rank) {
    if (rank != me()) {
      send(rank, message);
    }
  }
}

// Sends waiting messages, then streams, until the channel is full.
void RankEngine::pump() {
  outbox_.pump();
  while (outbox_.empty() && !outgoing_.empty()) {
    send_next_piece();
  }
  while (outbox_.empty() && !outgoing_moves_.empty()) {
    send_next_of_move();
  }
}

bool RankEngine::has_finished() const {
  return engine_->finished() && num_outputs_left_ == 0 && num_refusals_left_ == 0 && refusals_.empty() && parts_.empty() &&
         outgoing_.empty() && outgoing_moves_.empty() && coming_.empty() && !search_.is_out();
}

void RankEngine::stop_all() {
  if (!std::exchange(has_stopped_, true)) {
    engine_->stop();
    outgoing_.clear();
    outgoing_moves_.clear();
    abandon_root();
  }
}

// Abandons the root if the ranks of its grid were asked to enter, and this one has not.
void RankEngine::abandon_root() {
  for (const auto& [id, part] : parts_) {
    if (id.role == PartRole::grid && !part.mailbox.empty()) {
      context_.parts.abandon_root();
    }
  }
  receive_local();
}

}  // namespace frond
