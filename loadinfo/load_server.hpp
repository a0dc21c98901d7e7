// SPDX-License-Identifier: BSD-3-Clause
// Serves a load exchange on the calling thread, each time serve() is called.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "loadinfo/channel_sink.hpp"
#include "loadinfo/load_service.hpp"
#include "matrices/steady_clock.hpp"

namespace frond {

class LoadServer final : public LoadService {
 public:
  static constexpr int kMostAtOnce = 64;  ///< messages handed in by one call of serve()

  /// `now` returns the seconds used to measure blocking; a simulation passes its own.
  LoadServer(Channel& channel, const LoadExchangeOptions& exchange, std::function<double()> now = steady_seconds);

  int serve() override;
  [[nodiscard]] LoadServiceCounts counts() const override;
  [[nodiscard]] Count num_sent() const { return sink_.counts().total_messages(); }

  LoadExchange& begin_turn() override { return *exchange_; }
  void end_turn() noexcept override { measure_blocking(); }

 private:
  void measure_blocking();

  Channel& channel_;
  ChannelSink sink_;
  std::unique_ptr<LoadExchange> exchange_;
  std::function<double()> now_;
  Count num_received_ = 0;
  double blocked_seconds_ = 0;           // of finished intervals
  std::optional<double> blocked_since_;  // while the exchange is blocked
};

}  // namespace frond
