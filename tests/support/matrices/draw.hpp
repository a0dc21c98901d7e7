// SPDX-License-Identifier: BSD-3-Clause
// Draws random integers that are the same on every machine.
#pragma once

#include <cstdint>

#include "frond/types.hpp"
#include "matrices/splitmix.hpp"

namespace frond::testing {

/// Draws numbers that are the same on every rank and machine.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : bits_(seed * 0x9e3779b97f4a7c15U) {}

  /// Returns an integer in low .. high, both included.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(bits_.next() % static_cast<std::uint64_t>(high - low + 1));
  }
  Index below(Index bound) { return static_cast<Index>(between(0, bound - 1)); }
  std::int64_t sign() { return between(0, 1) == 0 ? -1 : 1; }

 private:
  SplitMix64 bits_;
};

}  // namespace frond::testing
