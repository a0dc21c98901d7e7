// SPDX-License-Identifier: BSD-3-Clause
// The clock used to measure durations.
#pragma once

#include <chrono>

namespace frond {

/// Seconds since some instant, on a clock that never goes back.
[[nodiscard]] inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace frond
