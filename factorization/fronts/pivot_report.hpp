// SPDX-License-Identifier: BSD-3-Clause
// What the pivots of one front add to the report of a factorization.
#pragma once

#include <span>

#include "factorization/kernels/front_factor.hpp"
#include "factorization/kernels/front_kernel.hpp"
#include "frond/factorization_report.hpp"

namespace frond {

/// Reports inertia, null pivots by their original numbers, the smallest pivot, and the numbers of 2x2 and perturbed pivots.
/// `row_perm` has the original number of a row.
template <Scalar S>
[[nodiscard]] FactorizationReport report_of_pivots(const FrontFactor<S>& factor, Method method, const PivotCounts& counts,
                                                   std::span<const Index> row_perm);

/// Returns the counts of a level of the tree. A report of few fronts has few levels, wherever in a deep tree they are.
[[nodiscard]] LevelCounts& level_at_depth(FactorizationReport& report, Index depth);

}  // namespace frond
