// SPDX-License-Identifier: BSD-3-Clause
// What a user may choose about pivots, and what it means for a given matrix.
#pragma once

#include "analysis/symbolic.hpp"
#include "factorization/fronts/assemble.hpp"
#include "factorization/kernels/front_kernel.hpp"

namespace frond {

/// What becomes of fully summed variables whose pivots fail the tests?
enum class PivotingKind {
  threshold,        ///< they are delayed to the parent, whose front grows by them
  static_structure  ///< they are eliminated where they are, small pivots enlarged (Li & Demmel 1998, "Making sparse Gaussian
                    ///< elimination scalable by static pivoting"; Duff & Pralet 2007, "Towards stable mixed pivoting strategies for
                    ///< the sequential and parallel solution of sparse symmetric indefinite systems"): memory and flops are those
                    ///< predicted, refinement makes up for the perturbation. Not for Cholesky, which has no choice
};

struct PivotingOptions {
  double pivot_threshold = 0.01;  ///< u in [0, 1]: LDLT accepts a pivot when every |l_ij| <= 1/u, LU when |a_kk| >= u max_j |a_kj|
                                  ///< along its row (Duff & Reid 1983)
  bool may_lower_threshold = true;  ///< where delayed pivots would more than double the flops; read by those who choose ways to
                                    ///< factorize
  double null_threshold =
      0;  ///< pivots up to this size, relative to the largest scaled |a_ij|, count as zero; 0: max(10, 5 sqrt(n)) eps
  PivotingKind kind = PivotingKind::threshold;
  double perturbation = 0;  ///< static pivoting: the least size of a pivot that failed the tests, relative to the largest scaled
                            ///< |a_ij|; 0: sqrt(eps)
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
/// Throws UsageError for a pivot threshold or a perturbation outside of its range, or NaN.
template <Scalar S>
[[nodiscard]] PivotTolerances<RealOf<S>> pivot_tolerances(const Symbolic& symbolic, const ScaledValues<S>& matrix,
                                                          const PivotingOptions& options);

}  // namespace frond
