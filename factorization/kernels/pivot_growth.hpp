// SPDX-License-Identifier: BSD-3-Clause
// Measures how large entries became: the largest entry of U, or of D L^T.
#pragma once

#include "factorization/kernels/block_diagonal.hpp"
#include "factorization/kernels/front_factor.hpp"
#include "frond/dense.hpp"

namespace frond {

// Wilkinson's growth factor has the largest entry of all reduced matrices in its numerator; that of U, whose rows are the pivot
// rows, bounds it from below and is what LAPACK's drivers report (xGESVX; Higham 2002, "Accuracy and Stability of Numerical
// Algorithms", section 9.3). D L^T are the pivot rows of L D L^T. Sizes of complex entries are |re| + |im|.

/// Returns the largest entry of N (A = N^T M^T), or of D op(L)^T, in the rows that a front's master holds: all, or the fully summed
/// ones. Reads each of the eliminated columns once. 0 for Cholesky.
template <Scalar S>
[[nodiscard]] RealOf<S> largest_pivot_entry(const FrontFactor<S>& front, Method method);

/// Returns the largest entry of D op(L)^T for the rows `l` of L, one column of `l` per pivot from position 0 on.
template <Scalar S>
[[nodiscard]] RealOf<S> largest_of_scaled_rows(const BlockDiagonal<S>& diagonal, DenseView<const S> l);

}  // namespace frond
