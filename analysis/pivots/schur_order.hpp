// SPDX-License-Identifier: BSD-3-Clause
// Orders that leave some variables to the end, where they stay for a Schur complement.
#pragma once

#include <span>

#include "analysis/pivots/pivot_order.hpp"

namespace frond {

// Where the kept variables end up:
//
//   order            variables of A11, ordered by themselves | kept variables, as listed
//   elimination tree the kept variables are one path; what reaches any of them hangs below its first vertex
//   assembly tree    one root, the Schur node, into which nothing is amalgamated:
//
//                  Schur node              assembled like any front, never eliminated: then it holds S
//                ┌─────┼─────┐
//              node  node  node            the last fronts that are eliminated; nothing is delayed from them into S

/// order_for_pivots() of the block of A without options.schur_variables, which follow in the order in which they are listed and are
/// kept (Elimination::num_kept). A given order of all variables tells that of the others. Throws UsageError for variables that do
/// not exist or come twice, for a given order that is no permutation, and for a given matching that moves a row of the Schur
/// complement.
[[nodiscard]] PivotOrder order_before_schur(const PatternView& pattern, const PivotMagnitudes& magnitudes,
                                            const AnalysisOptions& options);

}  // namespace frond
