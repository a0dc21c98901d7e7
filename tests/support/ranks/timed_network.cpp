// SPDX-License-Identifier: BSD-3-Clause
// Delivers messages in virtual time.
#include "tests/support/ranks/timed_network.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

namespace frond::test {

void EventQueue::plan(double time, std::function<void()> event) {
  events_.push({std::max(time, now_), num_planned_, std::move(event)});
  ++num_planned_;
}

bool EventQueue::run_next() {
  if (events_.empty()) {
    return false;
  }
  const Event next = events_.top();
  events_.pop();
  now_ = next.time;
  next.happen();
  return true;
}

class TimedNetwork::TimedChannel final : public Channel {
 public:
  TimedChannel(TimedNetwork& network, int number, Rank rank) : network_(network), number_(number), rank_(rank) {}

  [[nodiscard]] Rank rank() const override { return rank_; }
  [[nodiscard]] Rank num_ranks() const override { return network_.num_ranks_; }
  [[nodiscard]] bool send(Rank to, const MessageBody& body) override {
    network_.send(number_, rank_, to, body);
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
  void on_arrived(ReceivedMessage message) { arrived_.push_back(std::move(message)); }

 private:
  TimedNetwork& network_;
  int number_;
  Rank rank_;
  std::deque<ReceivedMessage> arrived_;
};

TimedNetwork::TimedNetwork(Rank num_ranks, int num_channels, EventQueue& events, std::function<void(int, Rank)> on_arrival,
                           TimedNetworkOptions options)
    : num_ranks_(num_ranks),
      events_(events),
      on_arrival_(std::move(on_arrival)),
      options_(options),
      free_at_(static_cast<std::size_t>(num_ranks), 0) {
  for (int number = 0; number < num_channels; ++number) {
    for (Rank rank = 0; rank < num_ranks; ++rank) {
      channels_.push_back(std::make_unique<TimedChannel>(*this, number, rank));
    }
  }
}

TimedNetwork::~TimedNetwork() = default;

Channel& TimedNetwork::channel(int number, Rank rank) const { return *channels_[place(number, rank)]; }

void TimedNetwork::send(int number, Rank from, Rank to, const MessageBody& body) {
  double& free_at = free_at_[static_cast<std::size_t>(from)];
  free_at = std::max(free_at, events_.now()) + static_cast<double>(body.num_bytes()) / options_.bytes_per_second;
  const auto message = std::make_shared<ReceivedMessage>(from, body);
  events_.plan(free_at + options_.latency_seconds, [this, number, to, message] {
    channels_[place(number, to)]->on_arrived(std::move(*message));
    on_arrival_(number, to);
  });
}

}  // namespace frond::test
