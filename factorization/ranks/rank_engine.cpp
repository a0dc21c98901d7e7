// SPDX-License-Identifier: BSD-3-Clause
// Hands the events of a rank to its machines: tasks, steps, messages, and the common end.
#include "factorization/ranks/rank_engine.hpp"

#include <utility>
#include <variant>

#include "frond/error.hpp"

namespace frond {
namespace {

template <class Machine, class Message>
constexpr bool kReceives = requires(Machine& machine, const Message& message) {
  machine.receive(Rank{}, message);
};

// Hands the message to the one machine that receives such.
template <class Message, class... Machines>
void offer(Rank from, const Message& message, Machines&... machines) {
  static_assert((int{kReceives<Machines, Message>} + ...) == 1);
  const auto offer_to = [&](auto& machine) {
    if constexpr (kReceives<decltype(machine), Message>) {
      machine.receive(from, message);
    }
  };
  (offer_to(machines), ...);
}

}  // namespace

RankEngine::RankEngine(const RankContext& context, RankEngineOptions options)
    : context_(context),
      options_(std::move(options)),
      mail_(context.channel, counts_),
      end_(mail_.outbox(), kEndMessages),
      tasks_(context_, options_),
      streams_(shared_),
      parts_(shared_, streams_),
      slaves_(shared_, parts_),
      layout_(shared_, streams_, slaves_),
      pool_(shared_, layout_),
      sharing_(shared_, parts_, layout_, pool_),
      moves_(shared_, streams_, layout_),
      records_(shared_, end_, streams_, layout_) {
  set_up({options_.tasks.ahead_limit_bytes, options_.planned_peak_bytes}, {});
}

void RankEngine::set_up(const PlanInForce::Terms& terms, std::vector<TaskId> coming) {
  tasks_.set_up(terms, std::move(coming));
  slaves_.set_up();
  layout_.set_up();
  sharing_.set_up();
  pool_.set_up();
}

void RankEngine::begin(std::span<const TaskId> coming) {
  tasks_->start();
  layout_.begin(coming);
  slaves_.begin();
}

// Handles an event, and what follows from it on this rank. An exception meanwhile is a failure like any other: no rank leaves the
// others alone.
void RankEngine::handle(const std::function<void()>& handler) {
  try {
    handler();
    take_own_messages();
    while (!has_failed() && advance()) {
    }
  } catch (...) {
    end_.fail(std::current_exception());
  }
  if (has_failed()) {
    stop_all();
  } else if (!tasks_.is_paused() && has_finished()) {
    end_.finish();
  }
}

// Lets each machine do what has become possible. Returns whether there may be more: the end of a pause lets continue what was put
// off, and an answer of the pool on this rank may have brought something to start.
bool RankEngine::advance() {
  slaves_.advance();
  take_own_messages();
  parts_.advance();
  parts_.report_free_memory();
  take_own_messages();
  tasks_.report_load();
  tasks_.start();
  sharing_.advance();
  const bool has_own_answer = mail_.has_own();
  take_own_messages();
  if (!tasks_.is_paused()) {
    return has_own_answer;
  }
  slaves_.give_up_choices();
  take_own_messages();
  records_.advance();
  return !tasks_.is_paused() || has_own_answer;
}

void RankEngine::on_front_finished(TaskId id) {
  if (!has_failed()) {
    layout_.announce(id);
  }
  tasks_->on_finished(id);
}

void RankEngine::on_step(FrontPart id, PartStep step) {
  handle([&] {
    if (!has_failed() && parts_.on_step(id, step) && id.role == PartRole::master) {
      on_front_finished(id.task);
    }
  });
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
  if (const std::optional<MainMessage> message = mail_.open(from, bytes)) {
    hand_over(from, *message);
  }
}

void RankEngine::take_own_messages() {
  while (mail_.has_own()) {
    const std::vector<std::byte> bytes = mail_.take_own();
    hand_over(rank(), decode_main_message(bytes));
  }
}

// After a failure no message matters, except that a rank may wait for this one at the root.
void RankEngine::hand_over(Rank from, const MainMessage& message) {
  if (has_failed()) {
    if (const auto* front = std::get_if<FrontMessage>(&message); front != nullptr && front->part.role == PartRole::grid) {
      context_.numerics.abandon_root();
    }
    return;
  }
  std::visit(
      [&](const auto& content) { offer(from, content, streams_, parts_, slaves_, layout_, pool_, sharing_, moves_, records_); },
      message);
}

bool RankEngine::on_load_event() {
  if (has_failed() || (!slaves_.has_to_decide() && !tasks_.is_blocked())) {
    return false;
  }
  const Count before = counts_.decisions + tasks_->active().num_started();
  handle([] {});
  return counts_.decisions + tasks_->active().num_started() > before;
}

bool RankEngine::drain(std::span<const Rank> leaving, const std::string& folder) {
  if (context_.recovery.plan == nullptr) {
    throw UsageError("No process can leave this factorization: its fronts do not move.");
  }
  if (tasks_.is_paused() || has_failed() || end_.is_decided()) {
    return false;
  }
  const std::vector<Rank> all = records_.all_without(leaving);
  if (!all.empty()) {
    handle([&] {
      ++counts_.pauses;
      records_.begin(all, folder);
    });
  }
  return true;
}

void RankEngine::on_arrived(const RowStream& stream) {
  if (stream.target.role == PartRole::master) {
    layout_.on_arrived(stream.target.task);
  } else {
    parts_.on_arrived(stream.target);
  }
}

// Messages first, then streams, then parts that move.
void RankEngine::send_waiting() {
  mail_.pump();
  streams_.send_pieces();
  moves_.send_pieces();
}

void RankEngine::adopt(const RecoveryPlan& plan) {
  const PlanInForce::Terms terms = context_.recovery.plan->adopt(plan);
  ++counts_.records;
  const std::vector<RankMail::Letter> later = mail_.begin_record(plan.number);
  streams_.restart(context_.recovery.fronts->held_rows());
  moves_.begin(plan);
  const std::vector<TaskId> coming = moves_.coming_tasks();
  set_up(terms, coming);
  begin(coming);
  for (const auto& [from, bytes] : later) {
    take_message(from, bytes);
  }
  send_waiting();
}

std::string RankEngine::describe_wait() const {
  return "waits for " + std::to_string(streams_.num_arriving()) + " streams of rows that are to come, for slaves of " +
         std::to_string(slaves_.num_undecided()) + " fronts, for parents to take " + std::to_string(streams_.num_outputs_left()) +
         " contributions, and for room to send " + std::to_string(mail_.num_waiting() + streams_.num_outgoing()) + " messages";
}

bool RankEngine::has_finished() const {
  return tasks_->finished() && streams_.is_idle() && slaves_.is_idle() && parts_.is_idle() && moves_.is_idle() &&
         sharing_.is_idle();
}

void RankEngine::stop_all() {
  if (!std::exchange(has_stopped_, true)) {
    tasks_->stop();
    streams_.stop();
    moves_.stop();
    parts_.abandon_root();
    take_own_messages();
  }
}

}  // namespace frond
