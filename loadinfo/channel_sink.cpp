// SPDX-License-Identifier: BSD-3-Clause
// Sends and receives load messages over a channel.
#include "loadinfo/channel_sink.hpp"

#include <utility>

namespace frond {

void ChannelSink::send(Rank to, const LoadMessage& message) {
  std::vector<std::byte> bytes = encode(message);
  counts_.add(message.kind, static_cast<Count>(bytes.size()));
  if (is_waiting() || !channel_.send(to, std::span<const std::byte>(bytes))) {
    waiting_.push_back({to, std::move(bytes)});
  }
}

void ChannelSink::on_room() {
  while (is_waiting() && channel_.send(waiting_.front().to, std::span<const std::byte>(waiting_.front().bytes))) {
    waiting_.pop_front();
  }
}

int serve_load_messages(Channel& channel, LoadExchange& exchange, int most) {
  int num_served = 0;
  while (num_served < most) {
    const std::optional<ReceivedMessage> message = channel.poll();
    if (!message) {
      break;
    }
    exchange.on_message(message->from(), decode(message->bytes()));
    ++num_served;
  }
  return num_served;
}

}  // namespace frond
