// SPDX-License-Identifier: BSD-3-Clause
// Counts per level of the assembly tree.
#pragma once

#include <vector>

#include "factorization/fronts/level_counts.hpp"
#include "frond/factorization_report.hpp"

namespace frond {

/// Returns the counts of that level, which are zero at first: levels[0] are the roots.
[[nodiscard]] LevelCounts& at_level(std::vector<LevelCounts>& levels, Index level);

}  // namespace frond
