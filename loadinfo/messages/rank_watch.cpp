// SPDX-License-Identifier: BSD-3-Clause
// Runs the watching thread: receive, check, send, sleep.
#include "loadinfo/messages/rank_watch.hpp"

#include <array>
#include <chrono>
#include <exception>
#include <utility>

#include "matrices/steady_clock.hpp"

namespace frond {
namespace {

constexpr std::chrono::milliseconds kPartingInterval{2};  // between two polls for the last goodbyes

// A failure counts as silence; the next poll tries again.
template <class Work>
void try_to(Work work) {
  try {
    work();
  } catch (const std::exception& error) {
    static_cast<void>(error);
  }
}

}  // namespace

RankWatch::RankWatch(Channel& channel, double limit_seconds, std::function<void(Rank)> rank_lost)
    : channel_(channel),
      heartbeat_(channel.rank(), channel.num_ranks(), limit_seconds, steady_seconds()),
      rank_lost_(std::move(rank_lost)),
      thread_([this] { run(); }) {}

RankWatch::~RankWatch() {
  {
    const std::lock_guard lock(mutex_);
    is_leaving_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void RankWatch::run() {
  bool has_said_goodbye = false;
  while (!has_said_goodbye || heartbeat_.watches_anybody()) {
    try_to([this] { hear(); });
    if (heartbeat_.look(steady_seconds()) && !has_said_goodbye) {
      try_to([this] { tell(Sign::alive); });
    }
    if (const std::optional<Rank> lost = heartbeat_.lost_rank()) {
      rank_lost_(*lost);
      return;
    }
    std::unique_lock lock(mutex_);
    if (!has_said_goodbye) {
      wake_.wait_for(lock, std::chrono::duration<double>(heartbeat_.interval()), [this] { return is_leaving_; });
    } else {
      wake_.wait_for(lock, kPartingInterval);
    }
    if (is_leaving_ && !std::exchange(has_said_goodbye, true)) {
      try_to([this] { tell(Sign::goodbye); });
    }
  }
}

void RankWatch::hear() {
  while (const std::optional<ReceivedMessage> message = channel_.poll()) {
    heartbeat_.heard_from(message->from());
    if (!message->bytes().empty() && message->bytes().front() == static_cast<std::byte>(Sign::goodbye)) {
      heartbeat_.said_goodbye(message->from());
    }
  }
}

void RankWatch::tell(Sign sign) {
  const std::array<std::byte, 1> body = {static_cast<std::byte>(sign)};
  for (Rank to = 0; to < channel_.num_ranks(); ++to) {
    if (to != channel_.rank()) {
      (void)channel_.send(to, std::span<const std::byte>(body));  // there is room, or that rank has been silent for long
    }
  }
}

}  // namespace frond
