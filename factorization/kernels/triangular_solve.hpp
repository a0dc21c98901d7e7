// SPDX-License-Identifier: BSD-3-Clause
// Triangular solves by matrix products: TRSM of BLAS runs at a half (right) to a quarter (left) of their speed for as many columns
// as a panel has.
#pragma once

#include "factorization/kernels/blas.hpp"

namespace frond {

/// X := X op(L)^-1, op being a transposition, with or without conjugation; L is lower triangular.
template <Scalar S>
void solve_right(blas::Op op, blas::Diagonal diagonal, DenseView<const S> l, DenseView<S> x);

/// X := L^-1 X, L being unit lower triangular.
template <Scalar S>
void solve_left(DenseView<const S> l, DenseView<S> x);

}  // namespace frond
