// SPDX-License-Identifier: BSD-3-Clause
// Converts pivoting options to tolerances for a given matrix.
#pragma once

#include <type_traits>

#include "analysis/symbolic.hpp"
#include "factorization/fronts/assemble.hpp"
#include "factorization/kernels/front_kernel.hpp"
#include "frond/factorization_options.hpp"

namespace frond {

/// Where delayed pivots would be expensive, the pivot threshold is lowered to this: refinement makes up for the accuracy lost.
template <class R>
inline constexpr double kLoweredThreshold = std::is_same_v<R, float> ? 1e-3 : 1e-6;

/// Returns the threshold that null_threshold = 0 stands for: max(10, 5 sqrt(n)) eps.
template <Scalar S>
[[nodiscard]] double default_null_threshold(Index order);

/// Returns the null threshold that `options` ask for, as a fraction of the largest entry.
template <Scalar S>
[[nodiscard]] double relative_null_threshold(Index order, const PivotingOptions& options) {
  return options.null_threshold > 0 ? options.null_threshold : default_null_threshold<S>(order);
}

/// The thresholds of the pivot search for this matrix, the null threshold in units of its largest scaled entry. O(entries). Throws
/// UsageError for a pivot threshold or a perturbation out of range, or NaN.
template <Scalar S>
[[nodiscard]] PivotTolerances<RealOf<S>> pivot_tolerances(const Symbolic& symbolic, const ScaledValues<S>& matrix,
                                                          const PivotingOptions& options);

}  // namespace frond
