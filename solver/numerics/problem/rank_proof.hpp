// SPDX-License-Identifier: BSD-3-Clause
// Defines what counts as singular, and describes a rank in doubt.
#pragma once

#include <limits>
#include <string>

#include "frond/report.hpp"
#include "frond/types.hpp"

namespace frond {

/// The constant c: an entry counts as known to c eps of its own size, for a few roundings in its computation. It does not grow with
/// the order: residuals in twice the working precision keep the rounding of long sums out of the measurement. With it the
/// second difference of 10^6 points is nonsingular by far, tau rho being 0.003.
inline constexpr double kSingularUnits = 32;

/// tau = c eps.
template <Scalar S>
inline constexpr double kSingularTolerance = kSingularUnits* static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

/// Whether the rank is `highest`, and that is less than the order; null pivots need not show it, see heed_core().
[[nodiscard]] inline bool is_proved_singular(const RankProof& rank) {
  return rank.status == RankVerdict::singular || rank.status == RankVerdict::structural;
}

/// Describes a rank in doubt: "between 7 and 9 of 10", or as much of that as is proved.
[[nodiscard]] std::string describe_bounds(const RankProof& rank, Index order);

}  // namespace frond
