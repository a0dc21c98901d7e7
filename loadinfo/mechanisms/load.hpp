// SPDX-License-Identifier: BSD-3-Clause
// The load of a process: remaining work and memory in use.
#pragma once

#include <cmath>
#include <cstdlib>

#include "frond/types.hpp"

namespace frond {

inline constexpr Rank kNobody = -1;

/// A load or a variation of one. Loads are stored as they come and never clamped: a task may finish before the message that
/// reserved it arrives, and until then the load is negative. Clamp when choosing, not when storing.
///
/// Flops are whole numbers, so that sums below 2^53 are exact and views maintained by increments do not drift.
struct Load {
  double flops = 0;  ///< to be done
  Count bytes = 0;   ///< in use

  constexpr Load& operator+=(const Load& other) {
    flops += other.flops;
    bytes += other.bytes;
    return *this;
  }
  constexpr Load& operator-=(const Load& other) { return *this += -other; }
  constexpr Load operator-() const { return {-flops, -bytes}; }

  friend constexpr Load operator+(Load a, const Load& b) { return a += b; }
  friend constexpr Load operator-(Load a, const Load& b) { return a -= b; }
  friend constexpr bool operator==(const Load&, const Load&) = default;
};

/// True if |variation| exceeds the threshold, in flops or in bytes.
[[nodiscard]] inline bool exceeds(const Load& variation, const Load& threshold) {
  return std::abs(variation.flops) > threshold.flops || std::abs(variation.bytes) > threshold.bytes;
}

/// Load that a master gives to a slave.
struct Assignment {
  Rank rank = kNobody;
  Load load;

  friend bool operator==(const Assignment&, const Assignment&) = default;
};

}  // namespace frond
