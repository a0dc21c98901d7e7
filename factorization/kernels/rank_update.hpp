// SPDX-License-Identifier: BSD-3-Clause
// The update in which all methods spend their time: a product subtracted from a lower trapezoid.
#pragma once

#include "factorization/kernels/blas.hpp"

namespace frond {

/// Columns of a panel that are eliminated and applied to the rest at a time; also the width of block columns. DGEMM runs at full
/// speed from an inner dimension of about 64 on; wider panels only move work into the slower panel factorization.
inline constexpr Index kPanelWidth = 128;

/// C -= A op(B) where C (rows x cols, rows >= cols) is needed only on and below its diagonal; inside strips of the diagonal block,
/// the part above is overwritten with arbitrary values. op(B) has cols columns.
template <Scalar S>
void subtract_product_lower(blas::Op op_b, DenseView<const S> a, DenseView<const S> b, DenseView<S> c);

}  // namespace frond
