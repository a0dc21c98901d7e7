// SPDX-License-Identifier: BSD-3-Clause
// Random bits that are the same on every machine.
#pragma once

#include <cstdint>

namespace frond {

/// SplitMix64 (Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators"): the same bits on every machine,
/// whatever its standard library.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace frond
