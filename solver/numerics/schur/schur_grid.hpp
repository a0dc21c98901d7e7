// SPDX-License-Identifier: BSD-3-Clause
// The grid that a user asks for, and whether there can be one.
#pragma once

#include "analysis/mapping/node_types.hpp"
#include "frond/answers.hpp"

namespace frond {

/// The shape of the grid on so many ranks. Throws UsageError where there are too few, or blocks have no row.
[[nodiscard]] GridShape schur_grid_shape(const SchurGrid& grid, Rank num_ranks);

}  // namespace frond
