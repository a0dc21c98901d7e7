// SPDX-License-Identifier: BSD-3-Clause
// Defines what counts as accurate, and reports what ranks did.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "factorization/ranks/rank_report.hpp"
#include "frond/report.hpp"
#include "frond/types.hpp"

namespace frond {

/// 450 eps: 1e-13 for double, 5.4e-5 for float.
template <Scalar S>
inline constexpr double kAccuracyTarget = 450 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

/// Componentwise backward errors up to this many epsilons are those of an accurate solution.
inline constexpr double kComponentwiseUnits = 45;

/// 1e-14 in double precision.
template <Scalar S>
inline constexpr double kComponentwiseAccuracy =
    kComponentwiseUnits* static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

/// Whether a column is not accurate, see ColumnReport.
template <Scalar S>
[[nodiscard]] bool is_inaccurate(const ColumnReport& report) {
  return report.num_missed_equations > 0 || !(report.normwise_backward_error <= kAccuracyTarget<S>);
}

/// Converts the counts for the user, rank by rank.
[[nodiscard]] std::vector<RankReport> rank_reports_of(std::span<const RankRunCounts> counts);

}  // namespace frond
