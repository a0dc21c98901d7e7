// SPDX-License-Identifier: BSD-3-Clause
// A channel that counts what goes through it.
#pragma once

#include "loadinfo/channel.hpp"

namespace frond {

struct TrafficCounts {
  Count messages_sent = 0;
  Count bytes_sent = 0;
  Count messages_received = 0;
  Count bytes_received = 0;

  TrafficCounts& operator+=(const TrafficCounts& other) {
    messages_sent += other.messages_sent;
    bytes_sent += other.bytes_sent;
    messages_received += other.messages_received;
    bytes_received += other.bytes_received;
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
    ++counts_.messages_sent;
    counts_.bytes_sent += body.num_bytes();
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
      ++counts_.messages_received;
      counts_.bytes_received += message->num_bytes();
    }
    return message;
  }

  [[nodiscard]] const TrafficCounts& counts() const { return counts_; }
  [[nodiscard]] bool waits_for_room() const { return waits_for_room_; }  ///< a room event is to come

 private:
  Channel& channel_;
  TrafficCounts counts_;
  bool waits_for_room_ = false;
};

}  // namespace frond
