// SPDX-License-Identifier: BSD-3-Clause
// What the engine sees of its rank's load exchange: a door to it, whether the main loop or a thread of its own serves its messages.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "frond/load_options.hpp"
#include "loadinfo/mechanisms/mechanism.hpp"
#include "loadinfo/messages/channel.hpp"

namespace frond {

struct LoadServiceCounts {
  LoadMessageCounts sent;
  Count num_received = 0;      ///< messages
  Count num_wake_ups = 0;      ///< looks for messages by the thread; 0 without one
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

  /// Returns use(exchange), during which nobody else calls the exchange: asking is_blocked() and starting a task in one `use` are
  /// one step. Throws what has stopped the service, if anything has.
  template <class Use>
  decltype(auto) with_exchange(Use&& use) {
    const Turn turn(*this);
    return std::forward<Use>(use)(turn.exchange);
  }

  /// To be called again and again by the main loop, with a thread too: hands in the messages that have come, some tens at most, and
  /// sends those that found no room before; returns how many were handed in. Throws what has stopped the service.
  virtual int serve() = 0;

  /// The service may go when no rank has sent what another has not received: when, over all ranks, sums of `sent` and
  /// `num_received` agree twice in a row.
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

//   LoadServer   the main loop calls serve() between other events              any thread level of MPI
//   LoadThread   a thread looks at the channel, sleeps, and looks again;       SERIALIZED or MULTIPLE
//                the main loop serves, too, when it has nothing else to do

/// The service over `channel`, which must outlive it and which nobody else uses meanwhile. `threads_may_call` says whether the
/// channel may be used by another thread than this one; if not there is no load thread, whatever the options say. Throws UsageError
/// for periods that are not positive or in the wrong order. `on_served` is called by the thread when it has handed in messages, and
/// must not call the service.
[[nodiscard]] std::unique_ptr<LoadService> make_load_service(const LoadServiceOptions& options, Channel& channel,
                                                             const LoadExchangeOptions& exchange, bool threads_may_call,
                                                             std::function<void()> on_served = {});

}  // namespace frond
