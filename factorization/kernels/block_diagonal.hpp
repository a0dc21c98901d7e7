// SPDX-License-Identifier: BSD-3-Clause
// Products with the D of LDLT and LDLH, 1x1 and 2x2 blocks as FrontFactor holds them.
#pragma once

#include "factorization/kernels/front_factor.hpp"
#include "frond/dense.hpp"

namespace frond {

template <Scalar S>
struct BlockDiagonal {
  const S* d = nullptr;               ///< as FrontFactor::d
  const PivotKind* pivots = nullptr;  ///< as FrontFactor::pivots
  bool hermitian = false;

  [[nodiscard]] S adjoint(S value) const { return hermitian ? conjugate(value) : value; }
};

/// The inverse [e11, e12; e21, e22] of a 2x2 block, computed in units of |d21| so that no product overflows.
template <Scalar S>
struct InverseOfTwo {
  /// Inverts the block that starts at position k.
  InverseOfTwo(const BlockDiagonal<S>& diagonal, Index k);

  S determinant;  ///< of the block over |d21|^2
  S e11, e12, e21, e22;
};

/// W := D op(L)^T for the pivots [begin, end); `l` holds these columns of L for the wanted rows, one column of W per row of `l`.
template <Scalar S>
void scale_transposed(const BlockDiagonal<S>& diagonal, Index begin, Index end, DenseView<const S> l, DenseView<S> w);

/// X := X D^-1 for the pivots [begin, end), one column of X per pivot. Columns of null pivots become zero.
template <Scalar S>
void divide_by(const BlockDiagonal<S>& diagonal, Index begin, Index end, DenseView<S> x);

}  // namespace frond
