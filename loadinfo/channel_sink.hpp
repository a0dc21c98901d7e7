// SPDX-License-Identifier: BSD-3-Clause
// Sends load messages over a channel: encoded, counted, and kept in order while the channel is full.
#pragma once

#include <deque>
#include <vector>

#include "loadinfo/mechanisms/load_exchange.hpp"
#include "loadinfo/messages/channel.hpp"

namespace frond {

/// Mechanisms never wait, so messages that the channel refuses are queued here. The driver calls on_room() at every room event of
/// the channel.
class ChannelSink final : public LoadSink {
 public:
  explicit ChannelSink(Channel& channel) : channel_(channel) {}

  void send(Rank to, const LoadMessage& message) override;
  void on_room();

  [[nodiscard]] bool is_waiting() const { return !waiting_.empty(); }        ///< has the channel refused a message?
  [[nodiscard]] const LoadMessageCounts& counts() const { return counts_; }  ///< of all messages sent so far

 private:
  struct Waiting {
    Rank to;
    std::vector<std::byte> bytes;
  };

  Channel& channel_;
  std::deque<Waiting> waiting_;
  LoadMessageCounts counts_;
};

/// Hands at most `most` messages received on the channel to the exchange; returns their number. Throws InternalError for a message
/// that is malformed or breaks the protocol.
int serve_load_messages(Channel& channel, LoadExchange& exchange, int most);

}  // namespace frond
