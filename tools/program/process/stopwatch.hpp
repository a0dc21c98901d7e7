// SPDX-License-Identifier: BSD-3-Clause
// Measures wall-clock time.
#pragma once

#include <chrono>

namespace frond {

/// Counts from construction.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace frond
