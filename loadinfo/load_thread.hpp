// SPDX-License-Identifier: BSD-3-Clause
// A thread that serves a load exchange while its process computes (Guermouche and L'Excellent 2005, section 4.5): snapshot
// decisions wait for all processes, and a process that computes answers only through such a thread.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "loadinfo/load_server.hpp"
#include "loadinfo/messages/wake_period.hpp"

namespace frond {

/// The thread polls for messages, then sleeps for a WakePeriod. What the engine sends through the exchange goes out at once, on the
/// engine's own thread; this wakes the load thread, since answers may arrive and refused messages wait for room. An idle main loop
/// serves messages too: it polls more often than the thread, which should not disturb the computation.
///
/// One lock guards the exchange and the channel. It is held during calls of the channel: if the channel waits for a lock of its own
/// (MpiGate), a thread that holds that one must not call the service.
class LoadThread final : public LoadService {
 public:
  LoadThread(const LoadServiceOptions& options, Channel& channel, const LoadExchangeOptions& exchange,
             std::function<void()> on_served = {});  ///< see make_load_service()
  ~LoadThread() override;                            ///< ends the thread; messages that still wait for room are not sent

  int serve() override;
  [[nodiscard]] LoadServiceCounts counts() const override;

 private:
  LoadExchange& begin_turn() override;
  void end_turn() noexcept override;
  void run() noexcept;
  void serve_until_stopped(std::unique_lock<std::mutex>& lock);

  mutable std::mutex mutex_;  // guards all members below except the thread itself
  std::condition_variable wake_;
  LoadServer server_;
  WakePeriod period_;
  std::function<void()> on_served_;
  std::exception_ptr failure_;  // ended the thread, if set
  Count sent_before_turn_ = 0;  // messages sent before the engine's turn began
  Count num_wake_ups_ = 0;
  std::optional<clockid_t> cpu_clock_;  // of the thread while it runs
  double final_cpu_seconds_ = 0;        // of the thread after its end
  bool has_news_ = false;               // the engine has sent or received messages since the last poll
  bool is_stopping_ = false;
  std::thread thread_;  // last: it uses all other members
};

}  // namespace frond
