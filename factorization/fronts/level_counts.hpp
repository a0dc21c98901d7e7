// SPDX-License-Identifier: BSD-3-Clause
// What the fronts of one level of the assembly tree came to.
#pragma once

#include <vector>

#include "matrices/types.hpp"

namespace frond {

/// Sums over the fronts whose distance from their root is the level. A front that several ranks share counts once, with its master;
/// flops are those of all.
struct LevelCounts {
  Count num_fronts = 0;
  Count num_delayed_pivots = 0;    ///< that these fronts left to their parents
  Count num_two_by_two = 0;        ///< 2x2 pivots
  Count num_null_pivots = 0;       ///< Cholesky has none
  Count num_perturbed_pivots = 0;  ///< static pivoting only
  Count max_front_order = 0;       ///< delayed pivots included
  double flops = 0;

  LevelCounts& operator+=(const LevelCounts& other);
  friend bool operator==(const LevelCounts&, const LevelCounts&) = default;
};

/// The counts of that level, which are zero at first: levels[0] are the roots.
[[nodiscard]] LevelCounts& at_level(std::vector<LevelCounts>& levels, Index level);

}  // namespace frond
