// SPDX-License-Identifier: BSD-3-Clause
// Queues calls from worker threads for the thread of their rank's event loop.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

namespace frond {

/// Calls are made in the order in which they were posted. Thread-safe.
class CallQueue {
 public:
  using Call = std::function<void()>;

  void post(Call call);
  void wake();  ///< ends the wait under way, or the next one

  /// On the loop's thread: makes the posted calls. Returns false if there were none.
  bool make_calls();
  void discard();  ///< forgets the posted calls

  /// On the loop's thread: sleeps until something is posted, wake() is called, or the time has passed.
  void wait_for(std::chrono::nanoseconds time);

 private:
  std::mutex mutex_;
  std::condition_variable posted_;
  std::vector<Call> calls_;
  bool is_woken_ = false;
};

}  // namespace frond
