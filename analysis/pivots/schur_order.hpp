// SPDX-License-Identifier: BSD-3-Clause
// Orders some variables last, where they stay for a Schur complement.
#pragma once

#include "analysis/pivots/pivot_order.hpp"

namespace frond {

/// Returns order_for_pivots() of the block of A without options.schur_variables, which follow in the order in which they are listed
/// and are kept (Elimination::num_kept). A given order of all variables determines that of the others. Throws UsageError for
/// variables that do not exist or are listed twice, for a given order that is not a permutation, and for a given matching that
/// moves a row of the Schur complement.
[[nodiscard]] PivotOrder order_before_schur(const PatternView& pattern, const PivotMagnitudes& magnitudes,
                                            const AnalysisOptions& options);

}  // namespace frond
