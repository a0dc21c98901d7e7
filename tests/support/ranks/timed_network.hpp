// SPDX-License-Identifier: BSD-3-Clause
// Connects virtual ranks in virtual time: messages take as long as their length requires, the same in every run.
#pragma once

#include <functional>
#include <memory>
#include <queue>
#include <vector>

#include "loadinfo/messages/channel.hpp"

namespace frond::test {

/// Orders events by virtual seconds; simultaneous events run in the order in which they were planned.
class EventQueue {
 public:
  [[nodiscard]] double now() const { return now_; }
  void plan(double time, std::function<void()> event);

  /// Runs the next event; false if there is none.
  bool run_next();

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

struct TimedNetworkOptions {
  double latency_seconds = 2e-6;  ///< of a message; latency and bandwidth are those of a plain InfiniBand
  double bytes_per_second = 5e9;  ///< that a rank sends, one message after the other
};

/// No buffer is ever full.
class TimedNetwork {
 public:
  /// on_arrival(channel number, rank) is called when a message is there for poll().
  TimedNetwork(Rank num_ranks, int num_channels, EventQueue& events, std::function<void(int, Rank)> on_arrival,
               TimedNetworkOptions options = {});
  ~TimedNetwork();

  [[nodiscard]] Channel& channel(int number, Rank rank) const;

 private:
  class TimedChannel;

  [[nodiscard]] std::size_t place(int number, Rank rank) const {
    return static_cast<std::size_t>(number) * static_cast<std::size_t>(num_ranks_) + static_cast<std::size_t>(rank);
  }
  void send(int number, Rank from, Rank to, const MessageBody& body);

  Rank num_ranks_;
  EventQueue& events_;
  std::function<void(int, Rank)> on_arrival_;
  TimedNetworkOptions options_;
  std::vector<std::unique_ptr<TimedChannel>> channels_;  // [place(number, rank)]
  std::vector<double> free_at_;                          // [rank] = when it has sent what it is sending
};

}  // namespace frond::test
