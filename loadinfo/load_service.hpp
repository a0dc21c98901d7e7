// SPDX-License-Identifier: BSD-3-Clause
// The engine's access to its rank's load exchange, whether the main loop or a separate thread serves its messages.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "frond/load_options.hpp"
#include "loadinfo/mechanisms/mechanism.hpp"
#include "loadinfo/messages/channel.hpp"

namespace frond {

struct LoadServiceOptions {                        ///< who polls for load messages, and how often
  bool use_thread = true;                          ///< a thread for load messages; else the main loop serves them between jobs
  std::chrono::microseconds shortest_period{50};   ///< between two polls while messages arrive
  std::chrono::microseconds longest_period{5000};  ///< and while it is quiet, unless the shortest is longer: at about 25 us per
                                                   ///< poll, half a percent of a core
};

struct LoadServiceCounts {
  LoadMessageCounts sent;
  Count num_received = 0;      ///< messages
  Count num_wake_ups = 0;      ///< polls by the thread; 0 without one
  double cpu_seconds = 0;      ///< of the thread; 0 without one
  double blocked_seconds = 0;  ///< during which the exchange was blocked: in snapshots, its own and others'
};

/// Serves one rank's load exchange over a channel.
class LoadService {
 public:
  LoadService() = default;
  LoadService(const LoadService&) = delete;
  LoadService& operator=(const LoadService&) = delete;
  virtual ~LoadService() = default;

  /// Returns use(exchange), during which nobody else calls the exchange: checking is_blocked() and starting a task in one `use` is
  /// atomic. Rethrows the exception that stopped the service, if any.
  template <class Use>
  decltype(auto) with_exchange(Use&& use) {
    const Turn turn(*this);
    return std::forward<Use>(use)(turn.exchange);
  }

  /// Must be called regularly by the main loop, even if there is a thread: hands in messages that arrived, several dozen at most,
  /// and sends those that found no room before; returns how many were handed in. Rethrows the exception that stopped the service.
  virtual int serve() = 0;

  /// The service may end once every sent message has been received: when the sums of `sent` and `num_received` over all ranks agree
  /// twice in a row.
  [[nodiscard]] virtual LoadServiceCounts counts() const = 0;

 private:
  struct Turn {
    explicit Turn(LoadService& of) : service(of), exchange(of.begin_turn()) {}
    ~Turn() { service.end_turn(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    LoadService& service;
    LoadExchange& exchange;
  };

  virtual LoadExchange& begin_turn() = 0;
  virtual void end_turn() noexcept = 0;
};

/// Makes the service over `channel`, which must outlive it and which nobody else may use meanwhile. `threads_may_call` says whether
/// a thread other than the calling one may use the channel; if not, there is no load thread, whatever the options say. Throws
/// UsageError for a period that is not positive. The thread calls `on_served` after it has handed in
/// messages; `on_served` must not call the service.
[[nodiscard]] std::unique_ptr<LoadService> make_load_service(const LoadServiceOptions& options, Channel& channel,
                                                             const LoadExchangeOptions& exchange, bool threads_may_call,
                                                             std::function<void()> on_served = {});

}  // namespace frond
