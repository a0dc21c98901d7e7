// SPDX-License-Identifier: BSD-3-Clause
// The report of a solve from those of its columns, some at a time.
#pragma once

#include "frond/options.hpp"
#include "frond/report.hpp"

namespace frond {

/// Makes `report` that of its columns and of further ones of the same system.
void append_columns(SolveReport& report, const SolveReport& further);

/// The bounds to find of columns that are not the first ones.
[[nodiscard]] constexpr ErrorBounds bounds_of_others(ErrorBounds bounds) {
  return bounds == ErrorBounds::all_columns ? bounds : ErrorBounds::never;
}

}  // namespace frond
