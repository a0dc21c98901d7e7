// SPDX-License-Identifier: BSD-3-Clause
// Keeps memory of finished work for later work.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

namespace frond {

/// A pool of unused buffers that keep their memory. Thread-safe.
template <class Buffer>
class IdlePool {
 public:
  /// Returns a recycled buffer, with arbitrary contents, or a new one.
  [[nodiscard]] Buffer take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) {
      return {};
    }
    Buffer buffer = std::move(idle_.back());
    idle_.pop_back();
    return buffer;
  }
  void give_back(Buffer buffer) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(buffer));
  }

 private:
  std::mutex mutex_;
  std::vector<Buffer> idle_;
};

}  // namespace frond
