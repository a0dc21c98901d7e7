// SPDX-License-Identifier: BSD-3-Clause
// Computes the rows of L of LDLT and LDLH that the pivot search did not see, and checks whether the pivots may stay.
#pragma once

#include <limits>

#include "factorization/kernels/block_diagonal.hpp"
#include "factorization/kernels/front_kernel.hpp"

namespace frond {

/// X := X op(L)^-T D^-1 for the pivots begin, begin + 1, ... of D, as many as `l`, their unit lower triangle, has columns. Returns
/// how many leading ones have |x_ij| <= 1/u but for rounding (a null pivot: |x_ij| <= null before the division); a 2x2 pivot counts
/// wholly or not at all. The columns behind these are left undefined. NaN never passes.
template <Scalar S>
[[nodiscard]] Index divide_and_verify(const BlockDiagonal<S>& diagonal, Index begin, DenseView<const S> l,
                                      PivotTolerances<RealOf<S>> tolerances, DenseView<S> x);

/// The same for rows that pivots are not tested against: those of a Schur complement.
template <Scalar S>
void divide_rows(const BlockDiagonal<S>& diagonal, Index begin, DenseView<const S> l, DenseView<S> x);
/// Returns tolerances with which divide_and_verify() accepts every number.
template <class R>
[[nodiscard]] PivotTolerances<R> accept_all(PivotTolerances<R> tolerances) {
  tolerances.threshold = 0;
  tolerances.null = std::numeric_limits<R>::max();
  return tolerances;
}

}  // namespace frond
