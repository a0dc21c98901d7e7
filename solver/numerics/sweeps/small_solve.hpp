// SPDX-License-Identifier: BSD-3-Clause
// Products and triangular solves that are too small for a BLAS call: right-hand sides are the rows of X and Y.
#pragma once

#include "factorization/kernels/blas.hpp"
#include "frond/dense.hpp"

namespace frond {

/// Y -= X op(A).
template <Scalar S>
void subtract_small_product(blas::Op op, DenseView<const S> x, DenseView<const S> a, DenseView<S> y);

/// X := X op(T)^-1 for the triangle T of the first rows of `t` = [T; B]. Only a lower triangle may have rows B below it, and then X
/// = [X1 X2] has as many columns as `t` has rows:
///   op(T) = T^T:   X1 := X1 T^-T, then X2 := X2 - X1 B^T;
///   op(T) = T:     X1 := (X1 - X2 B) T^-1.
template <Scalar S>
void solve_small_triangle(blas::Triangle triangle, blas::Op op, blas::Diagonal diagonal, DenseView<const S> t, DenseView<S> x);

}  // namespace frond
