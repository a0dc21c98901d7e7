// SPDX-License-Identifier: BSD-3-Clause
// Sums counts level by level.
#include "factorization/fronts/level_counts.hpp"

#include <algorithm>

namespace frond {

LevelCounts& LevelCounts::operator+=(const LevelCounts& other) {
  num_fronts += other.num_fronts;
  num_delayed_pivots += other.num_delayed_pivots;
  num_two_by_two += other.num_two_by_two;
  num_null_pivots += other.num_null_pivots;
  num_perturbed_pivots += other.num_perturbed_pivots;
  max_front_order = std::max(max_front_order, other.max_front_order);
  flops += other.flops;
  return *this;
}

LevelCounts& at_level(std::vector<LevelCounts>& levels, Index level) {
  if (levels.size() <= static_cast<std::size_t>(level)) {
    levels.resize(static_cast<std::size_t>(level) + 1);
  }
  return levels[level];
}

}  // namespace frond
