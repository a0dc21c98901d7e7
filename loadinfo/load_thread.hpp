// SPDX-License-Identifier: BSD-3-Clause
// A thread that serves a load exchange while its process computes. After Guermouche and L'Excellent 2005, section 4.5: decisions by
// snapshot wait for all processes, and those that compute answer only through such a thread.
#pragma once

#include <condition_variable>
#include <ctime>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "loadinfo/load_server.hpp"
#include "loadinfo/messages/wake_period.hpp"

namespace frond {

/// The thread looks for messages, then sleeps for a WakePeriod. What the engine does to the exchange is sent on the engine's own
/// thread, at once; the load thread is woken by it, since answers may come and refused messages wait for room. A main loop that has
/// nothing else to do serves messages too: it looks more often than a thread that should not disturb those who compute.
///
/// One lock guards the exchange and the channel. It is held while the channel is called: if the channel waits for a lock of its own
/// (MpiGate), whoever holds that one must not call the service.
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

  mutable std::mutex mutex_;  // guards all that follows but the thread itself
  std::condition_variable wake_;
  LoadServer server_;
  WakePeriod period_;
  std::function<void()> on_served_;
  std::exception_ptr failure_;  // what has ended the thread, if anything has
  Count sent_before_turn_ = 0;  // messages, by the time the engine's turn began
  Count num_wake_ups_ = 0;
  std::optional<clockid_t> cpu_clock_;  // of the thread while it runs
  double final_cpu_seconds_ = 0;        // of the thread when it has ended
  bool has_news_ = false;               // the engine has sent or received something since the last look
  bool is_stopping_ = false;
  std::thread thread_;  // last: it uses all the others
};

}  // namespace frond
