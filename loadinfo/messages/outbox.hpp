// SPDX-License-Identifier: BSD-3-Clause
// Queues the messages that leave a rank.
#pragma once

#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

#include "loadinfo/messages/channel.hpp"

namespace frond {

/// Sends in order: a message that the channel refuses waits, and so do all behind it.
class Outbox {
 public:
  explicit Outbox(Channel& channel) : channel_(channel) {}

  [[nodiscard]] Rank rank() const { return channel_.rank(); }
  [[nodiscard]] Rank num_ranks() const { return channel_.num_ranks(); }

  /// Sends to another rank; the ghost follows the bytes.
  void send(Rank to, std::vector<std::byte> bytes, Count num_ghost_bytes = 0) {
    waiting_.push_back({to, std::move(bytes), num_ghost_bytes});
    pump();
  }

  /// Sends waiting messages until the channel is full; call it when the channel has room.
  void pump() {
    while (!waiting_.empty() && channel_.send(waiting_.front().to, {waiting_.front().bytes, waiting_.front().num_ghost_bytes})) {
      waiting_.pop_front();
    }
  }

  [[nodiscard]] bool empty() const { return waiting_.empty(); }
  [[nodiscard]] Count size() const { return static_cast<Count>(waiting_.size()); }

 private:
  struct Waiting {
    Rank to;
    std::vector<std::byte> bytes;
    Count num_ghost_bytes;
  };

  Channel& channel_;
  std::deque<Waiting> waiting_;
};

}  // namespace frond
