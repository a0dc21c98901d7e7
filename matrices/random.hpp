// SPDX-License-Identifier: BSD-3-Clause
// Draws the random numbers of model problems, the same on every machine.
#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "frond/types.hpp"
#include "matrices/splitmix.hpp"

namespace frond {

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>(bits_.next() >> 11) * 0x1p-53; }
  /// Uniform in [least, largest).
  double between(double least, double largest) { return least + (largest - least) * uniform(); }
  /// In [least, largest), each power of ten as often as any other.
  double across_scales(double least, double largest) { return least * std::pow(largest / least, uniform()); }
  /// Uniform in 0 .. bound - 1.
  Index below(Index bound) { return static_cast<Index>(uniform() * bound); }
  double exponential(double mean) { return -mean * std::log1p(-uniform()); }
  bool happens(double probability) { return uniform() < probability; }

  /// All permutations of 0 .. n - 1 are equally likely.
  std::vector<Index> permutation(Index n) {
    std::vector<Index> perm(static_cast<std::size_t>(n));
    std::iota(perm.begin(), perm.end(), 0);
    for (Index last = n - 1; last > 0; --last) {
      std::swap(perm[last], perm[below(last + 1)]);
    }
    return perm;
  }

 private:
  SplitMix64 bits_;
};

}  // namespace frond
