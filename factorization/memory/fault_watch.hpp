// SPDX-License-Identifier: BSD-3-Clause
// Watches how fast fresh memory comes.
#pragma once

#include <atomic>
#include <cstdint>

#include "frond/types.hpp"

namespace frond {

/// Finds out whether huge pages are dear. Clearing one takes a tenth of a millisecond; but a virtual machine whose host takes free
/// memory back gets huge pages from that first, at tens of milliseconds each, while there are small ones at hand. Thread-safe.
class FaultWatch {
 public:
  /// Counts fresh bytes whose first touch took so long. Returns true once: when the last megabytes were dear.
  [[nodiscard]] bool finds_dear(Count bytes, double seconds) {
    constexpr Count kEnough = Count{8} << 20;
    constexpr double kNanoseconds = 1e9;
    constexpr std::int64_t kDearNanoseconds = 2;  // per byte, twenty times what clearing takes
    const std::int64_t spent = nanoseconds_ += static_cast<std::int64_t>(seconds * kNanoseconds);
    const Count touched = bytes_ += bytes;
    if (touched < kEnough) {
      return false;
    }
    nanoseconds_ -= spent;
    bytes_ -= touched;
    return spent > touched * kDearNanoseconds && !is_dear_.exchange(true);
  }

 private:
  std::atomic<Count> bytes_ = 0;
  std::atomic<std::int64_t> nanoseconds_ = 0;
  std::atomic<bool> is_dear_ = false;
};

}  // namespace frond
