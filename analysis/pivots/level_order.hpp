// SPDX-License-Identifier: BSD-3-Clause
// Orders matrices that are split into levels.
#pragma once

#include "analysis/pivots/pivot_order.hpp"

namespace frond {

/// Returns order_for_pivots() of D if the form splits, otherwise of the pattern itself. Rows that are not in the level of their own
/// column are matched in any case: by values where these are to be considered, otherwise as the structure allows. A `given`
/// matching that takes rows out of their levels leaves the matrix whole.
[[nodiscard]] PivotOrder order_by_levels(const PatternView& pattern, const PivotMagnitudes& magnitudes,
                                         const AnalysisOptions& options, BlockTriangularForm form);

}  // namespace frond
