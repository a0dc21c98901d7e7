// SPDX-License-Identifier: BSD-3-Clause
// Orders that leave some variables to the end, where they stay for a Schur complement.
#pragma once

#include <span>

#include "analysis/pivots/pivot_order.hpp"

namespace frond {

/// order_for_pivots() of the block of A without options.schur_variables, which follow in the order in which they are listed and are
/// kept (Elimination::num_kept). A given order of all variables tells that of the others. Throws UsageError for variables that do
/// not exist or come twice, for a given order that is no permutation, and for a given matching that moves a row of the Schur
/// complement.
[[nodiscard]] PivotOrder order_before_schur(const PatternView& pattern, const PivotMagnitudes& magnitudes,
                                            const AnalysisOptions& options);

}  // namespace frond
