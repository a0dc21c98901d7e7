// SPDX-License-Identifier: BSD-3-Clause
// Random integers that are the same everywhere.
#pragma once

#include <cstdint>

#include "matrices/types.hpp"

namespace frond::testing {

/// Numbers from a seed and a counter (splitmix64): the same on every rank, machine and standard library.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U) {}

  /// low .. high, both included.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
  }
  Index below(Index bound) { return static_cast<Index>(between(0, bound - 1)); }
  std::int64_t sign() { return between(0, 1) == 0 ? -1 : 1; }

 private:
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace frond::testing
