// SPDX-License-Identifier: BSD-3-Clause
// What a user may choose about pivots, and what it means for a given matrix.
#pragma once

#include "analysis/symbolic.hpp"
#include "factorization/assemble.hpp"
#include "factorization/kernels/front_kernel.hpp"

namespace frond {

struct PivotingOptions {
  double pivot_threshold = 0.01;  ///< u in [0, 1]: LDLT accepts a pivot when every |l_ij| <= 1/u, LU when |a_kk| >= u max_j |a_kj|
                                  ///< along its row (Duff & Reid 1983)
  double null_threshold =
      0;  ///< pivots up to this size, relative to the largest scaled |a_ij|, count as zero; 0: max(10, 5 sqrt(n)) eps
};

/// What null_threshold = 0 stands for: max(10, 5 sqrt(n)) eps.
template <Scalar S>
[[nodiscard]] double default_null_threshold(Index order);

/// The null threshold that `options` ask for, as a part of the largest entry.
template <Scalar S>
[[nodiscard]] double relative_null_threshold(Index order, const PivotingOptions& options) {
  return options.null_threshold > 0 ? options.null_threshold : default_null_threshold<S>(order);
}

/// The thresholds of the pivot search for this matrix, the null threshold in units of its largest scaled entry. O(entries).
template <Scalar S>
[[nodiscard]] PivotTolerances<RealOf<S>> pivot_tolerances(const Symbolic& symbolic, const ScaledValues<S>& matrix,
                                                          const PivotingOptions& options);

}  // namespace frond
