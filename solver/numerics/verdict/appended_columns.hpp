// SPDX-License-Identifier: BSD-3-Clause
// Merges the reports of blocks of columns into that of the whole solve.
#pragma once

#include "frond/options.hpp"
#include "frond/report.hpp"

namespace frond {

/// Adds the columns of `further`, a report on the same system, to `report`.
void append_columns(SolveReport& report, const SolveReport& further);

/// The bounds to find for columns after the first block.
[[nodiscard]] constexpr ErrorBounds bounds_of_others(ErrorBounds bounds) {
  return bounds == ErrorBounds::all_columns ? bounds : ErrorBounds::never;
}

}  // namespace frond
