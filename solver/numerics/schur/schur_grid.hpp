// SPDX-License-Identifier: BSD-3-Clause
// Determines the shape of the grid that a user requests.
#pragma once

#include "analysis/mapping/node_types.hpp"
#include "frond/answers.hpp"

namespace frond {

/// The shape of the grid on `num_ranks` ranks. Throws UsageError if there are too few ranks, or blocks have no rows.
[[nodiscard]] GridShape schur_grid_shape(const SchurGrid& grid, Rank num_ranks);

}  // namespace frond
