// SPDX-License-Identifier: BSD-3-Clause
// A channel that counts its traffic.
#pragma once

#include <array>

#include "loadinfo/messages/channel.hpp"

namespace frond {

struct MessageCounts {
  Count messages = 0;
  Count bytes = 0;

  MessageCounts& operator+=(const MessageCounts& other) {
    messages += other.messages;
    bytes += other.bytes;
    return *this;
  }
  MessageCounts& operator-=(const MessageCounts& other) { return *this += {-other.messages, -other.bytes}; }
  friend bool operator==(const MessageCounts&, const MessageCounts&) = default;
};

struct TrafficCounts {
  static constexpr std::size_t kMostKinds = 32;

  MessageCounts sent;
  MessageCounts received;
  /// [first byte] = messages sent that begin with it, as programs number their kinds. Ghosts and higher numbers count only in
  /// `sent`.
  std::array<MessageCounts, kMostKinds> sent_by_kind{};

  TrafficCounts& operator+=(const TrafficCounts& other) {
    return combine(other, [](MessageCounts& mine, const MessageCounts& others) { mine += others; });
  }
  /// Subtracts the earlier counts, which leaves the traffic since then.
  TrafficCounts& operator-=(const TrafficCounts& earlier) {
    return combine(earlier, [](MessageCounts& mine, const MessageCounts& others) { mine -= others; });
  }

 private:
  template <class Combine>
  TrafficCounts& combine(const TrafficCounts& other, Combine with) {
    with(sent, other.sent);
    with(received, other.received);
    for (std::size_t kind = 0; kind < kMostKinds; ++kind) {
      with(sent_by_kind[kind], other.sent_by_kind[kind]);
    }
    return *this;
  }
};

class CountedChannel final : public Channel {
 public:
  /// The channel must outlive this one.
  explicit CountedChannel(Channel& channel) : channel_(channel) {}

  [[nodiscard]] Rank rank() const override { return channel_.rank(); }
  [[nodiscard]] Rank num_ranks() const override { return channel_.num_ranks(); }

  [[nodiscard]] bool send(Rank to, const MessageBody& body) override {
    if (!channel_.send(to, body)) {
      waits_for_room_ = true;
      return false;
    }
    const MessageCounts one{1, body.num_bytes()};
    counts_.sent += one;
    if (!body.bytes().empty() && std::to_integer<std::size_t>(body.bytes()[0]) < TrafficCounts::kMostKinds) {
      counts_.sent_by_kind[std::to_integer<std::size_t>(body.bytes()[0])] += one;
    }
    return true;
  }

  [[nodiscard]] bool take_room_event() override {
    const bool has_room = channel_.take_room_event();
    waits_for_room_ = waits_for_room_ && !has_room;
    return has_room;
  }

  [[nodiscard]] std::optional<ReceivedMessage> poll() override {
    std::optional<ReceivedMessage> message = channel_.poll();
    if (message) {
      counts_.received += {1, message->num_bytes()};
    }
    return message;
  }

  [[nodiscard]] const TrafficCounts& counts() const { return counts_; }
  [[nodiscard]] bool waits_for_room() const { return waits_for_room_; }  ///< a room event will follow

 private:
  Channel& channel_;
  TrafficCounts counts_;
  bool waits_for_room_ = false;
};

}  // namespace frond
