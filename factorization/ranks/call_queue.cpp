// SPDX-License-Identifier: BSD-3-Clause
// Implements the queue with a lock.
#include "factorization/ranks/call_queue.hpp"

#include <utility>

namespace frond {

void CallQueue::post(Call call) {
  {
    const std::lock_guard lock(mutex_);
    calls_.push_back(std::move(call));
  }
  posted_.notify_one();
}

void CallQueue::wake() {
  {
    const std::lock_guard lock(mutex_);
    is_woken_ = true;
  }
  posted_.notify_one();
}

bool CallQueue::make_calls() {
  std::vector<Call> calls;
  {
    const std::lock_guard lock(mutex_);
    calls.swap(calls_);
  }
  for (const Call& call : calls) {
    call();
  }
  return !calls.empty();
}

void CallQueue::discard() {
  const std::lock_guard lock(mutex_);
  calls_.clear();
}

void CallQueue::wait_for(std::chrono::nanoseconds time) {
  std::unique_lock lock(mutex_);
  posted_.wait_for(lock, time, [this] { return !calls_.empty() || is_woken_; });
  is_woken_ = false;
}

}  // namespace frond
