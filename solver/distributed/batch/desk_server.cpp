// SPDX-License-Identifier: BSD-3-Clause
// Receives messages, replies, and sleeps in between.
#include "solver/distributed/batch/desk_server.hpp"

#include <algorithm>
#include <utility>

#include "loadinfo/messages/wake_period.hpp"
#include "matrices/steady_clock.hpp"
#include "solver/distributed/batch/desk_messages.hpp"

namespace frond {
namespace {

// A rank that has not accepted the message about the end after this long is gone, or learns of the end by other means.
constexpr double kMostSecondsToTell = 1;
// After a failure or a stop request, waits this long for tasks in progress elsewhere.
constexpr double kMostSecondsForResults = 60;

}  // namespace

DeskServer::DeskServer(PoolDesk& desk, Channel& channel, DeskServerPort port)
    : desk_(desk), channel_(channel), port_(std::move(port)), partners_(static_cast<std::size_t>(channel.num_ranks())) {}

void DeskServer::run() {
  WakePeriod period(std::chrono::microseconds(10), std::chrono::milliseconds(5));
  for (;;) {
    const bool has_heard = turn();
    if (is_ending_ && is_done()) {
      return;
    }
    desk_.sleep(period.after(has_heard));
  }
}

bool DeskServer::turn() {
  const bool has_heard = hear();
  share();
  tell_news();
  if (!is_ending_ && desk_.is_over()) {
    begin_end();
  }
  pump();
  return has_heard;
}

bool DeskServer::hear() {
  bool has_heard = false;
  while (const std::optional<ReceivedMessage> message = channel_.poll()) {
    handle(message->from(), message->bytes());
    has_heard = true;
  }
  return has_heard;
}

void DeskServer::handle(Rank from, std::span<const std::byte> bytes) {
  Partner& partner = partners_[from];
  ByteReader message(bytes);
  const auto rank_of = [&](Rank worker) { return from * desk_.num_workers() + std::clamp(worker, 0, desk_.num_workers() - 1); };
  switch (message.value<DeskMessage>()) {
    case DeskMessage::want: {
      const auto worker = message.value<Rank>();
      if (!is_ending_) {  // the message about the end is the last one
        partner.waiting.push_back(encoded(DeskMessage::grant, worker, desk_.take(rank_of(worker), decoded<ChunkSeconds>(message))));
      }
      break;
    }
    case DeskMessage::result: {
      const auto worker = message.value<Rank>();
      const auto task = message.value<Count>();
      desk_.finish(rank_of(worker), task, decoded<std::string>(message));
      break;
    }
    case DeskMessage::need:
      partner.needs_shared = !is_ending_;
      break;
    case DeskMessage::failed:
      try {
        throw_failure(decoded<Failure>(message));
      } catch (...) {
        desk_.fail(std::current_exception());
      }
      break;
    case DeskMessage::bye:
      partner.has_said_bye = true;
      break;
    default:
      throw InternalError("a message of a batch that is for others; do all processes run the same Frond?");
  }
}

// A rank that needs the analysis waits until this process has made it, or will not make one.
void DeskServer::share() {
  const bool is_needed =
      std::any_of(partners_.begin(), partners_.end(), [](const Partner& partner) { return partner.needs_shared; });
  if (!is_needed) {
    return;
  }
  const bool will_make_none = desk_.have_all_left();  // must be read before shared()
  const std::vector<std::byte> bytes = port_.shared();
  if (bytes.empty() && !will_make_none) {
    return;
  }
  for (Partner& partner : partners_) {
    if (std::exchange(partner.needs_shared, false)) {
      partner.waiting.push_back(encoded(DeskMessage::shared, bytes));
    }
  }
}

// These are only hints: they are not queued for a rank that accepts no messages.
void DeskServer::tell_news() {
  for (const auto& [rank, task] : desk_.take_news()) {
    if (Partner& partner = partners_[rank]; partner.waiting.empty() && !is_ending_) {
      partner.waiting.push_back(encoded(DeskMessage::drop, task));
    }
  }
}

void DeskServer::begin_end() {
  DeskEnd end;
  if (const std::exception_ptr failure = desk_.failure()) {
    end.failure = make_failure(0, failure);
  }
  end.calls_off = !end.failure;
  has_failed_ = end.failure.has_value();
  is_ending_ = true;
  std::for_each(partners_.begin(), partners_.end(), [](Partner& partner) { partner.needs_shared = false; });
  end_seconds_ = steady_seconds();
  for (Rank rank = 1; rank < channel_.num_ranks(); ++rank) {
    partners_[rank].waiting.push_back(encoded(DeskMessage::end, end));
  }
}

void DeskServer::pump() {
  for (Rank rank = 1; rank < channel_.num_ranks(); ++rank) {
    std::deque<std::vector<std::byte>>& waiting = partners_[rank].waiting;
    while (!waiting.empty() && channel_.send(rank, std::span<const std::byte>(waiting.front()))) {
      waiting.pop_front();
    }
  }
}

bool DeskServer::is_waited_for(Rank rank) const {
  const Partner& partner = partners_[rank];
  if (partner.has_said_bye || port_.is_gone(rank)) {
    return false;
  }
  const double seconds = steady_seconds() - end_seconds_;
  return port_.must_meet ||
         (has_failed_ ? seconds < kMostSecondsForResults : !partner.waiting.empty() && seconds < kMostSecondsToTell);
}

bool DeskServer::is_done() const {
  for (Rank rank = 1; rank < channel_.num_ranks(); ++rank) {
    if (is_waited_for(rank)) {
      return false;
    }
  }
  return true;
}

}  // namespace frond
