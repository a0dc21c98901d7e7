// SPDX-License-Identifier: BSD-3-Clause
// Polls the channel and measures how long the exchange is blocked.
#include "loadinfo/load_server.hpp"

#include <utility>

namespace frond {

LoadServer::LoadServer(Channel& channel, const LoadExchangeOptions& exchange, std::function<double()> now)
    : channel_(channel),
      sink_(channel),
      exchange_(make_load_exchange(exchange, channel.rank(), channel.num_ranks(), sink_)),
      now_(std::move(now)) {}

int LoadServer::serve() {
  if (channel_.take_room_event()) {
    sink_.on_room();
  }
  const int num_served = serve_load_messages(channel_, *exchange_, kMostAtOnce);
  num_received_ += num_served;
  measure_blocking();
  return num_served;
}

LoadServiceCounts LoadServer::counts() const {
  const double open_interval = blocked_since_ ? now_() - *blocked_since_ : 0;
  return {.sent = sink_.counts(), .num_received = num_received_, .blocked_seconds = blocked_seconds_ + open_interval};
}

// Must be called after everything that may block or unblock the exchange.
void LoadServer::measure_blocking() {
  if (exchange_->is_blocked() == blocked_since_.has_value()) {
    return;
  }
  if (blocked_since_) {
    blocked_seconds_ += now_() - *blocked_since_;
    blocked_since_.reset();
  } else {
    blocked_since_ = now_();
  }
}

}  // namespace frond
