// SPDX-License-Identifier: BSD-3-Clause
// Connects virtual ranks in virtual time: messages take as long as their length requires, the same in every run.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "loadinfo/messages/channel.hpp"

namespace frond::test {

/// Orders events by virtual seconds; simultaneous events run in the order in which they were planned.
class EventQueue {
 public:
  [[nodiscard]] double now() const { return now_; }
  void plan(double time, std::function<void()> event) { events_.push({std::max(time, now_), num_planned_++, std::move(event)}); }

  void run_all() {
    while (!events_.empty()) {
      const Event next = events_.top();
      events_.pop();
      now_ = next.time;
      next.happen();
    }
  }

 private:
  struct Event {
    double time;
    Count number;
    std::function<void()> happen;

    friend bool operator>(const Event& a, const Event& b) { return a.time != b.time ? a.time > b.time : a.number > b.number; }
  };

  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  double now_ = 0;
  Count num_planned_ = 0;
};

/// The channel of one rank. No buffer is ever full. Latency and bandwidth are those of a plain InfiniBand.
class TimedChannel final : public Channel {
 public:
  /// Channels of the same kind, one for each rank.
  using All = std::vector<std::unique_ptr<TimedChannel>>;

  /// `free_at` is when the rank has sent what it is sending, on any of its channels. on_arrival() is called when a message is there
  /// for poll().
  TimedChannel(EventQueue& events, const All& all, Rank rank, Rank num_ranks, double& free_at, std::function<void()> on_arrival)
      : events_(events), all_(all), rank_(rank), num_ranks_(num_ranks), free_at_(free_at), on_arrival_(std::move(on_arrival)) {}

  [[nodiscard]] Rank rank() const override { return rank_; }
  [[nodiscard]] Rank num_ranks() const override { return num_ranks_; }
  [[nodiscard]] bool send(Rank to, const MessageBody& body) override {
    constexpr double kLatencySeconds = 2e-6;
    constexpr double kBytesPerSecond = 5e9;  // one message after the other
    free_at_ = std::max(free_at_, events_.now()) + static_cast<double>(body.num_bytes()) / kBytesPerSecond;
    const auto message = std::make_shared<ReceivedMessage>(rank_, body);
    events_.plan(free_at_ + kLatencySeconds, [&receiver = *all_[to], message] {
      receiver.arrived_.push_back(std::move(*message));
      receiver.on_arrival_();
    });
    return true;
  }
  [[nodiscard]] bool take_room_event() override { return false; }
  [[nodiscard]] std::optional<ReceivedMessage> poll() override {
    if (arrived_.empty()) {
      return std::nullopt;
    }
    std::optional<ReceivedMessage> message(std::move(arrived_.front()));
    arrived_.pop_front();
    return message;
  }

 private:
  EventQueue& events_;
  const All& all_;
  Rank rank_;
  Rank num_ranks_;
  double& free_at_;
  std::function<void()> on_arrival_;
  std::deque<ReceivedMessage> arrived_;
};

}  // namespace frond::test
