// SPDX-License-Identifier: BSD-3-Clause
// The BLAS and LAPACK routines that Frond calls, under one name for all four scalar types. Every view is column-major.
#pragma once

#include "frond/dense.hpp"

namespace frond::blas {

enum class Op { none, transpose, conjugate_transpose };
enum class Side { left, right };
enum class Triangle { lower, upper };
enum class Diagonal { unit, stored };

/// C += alpha op(A) op(B).
template <Scalar S>
void gemm(Op op_a, Op op_b, S alpha, DenseView<const S> a, DenseView<const S> b, DenseView<S> c);

/// y += alpha op(A) x, with strides of x and y.
template <Scalar S>
void gemv(Op op, S alpha, DenseView<const S> a, const S* x, Index x_stride, S* y, Index y_stride);

/// B := op(T)^-1 B (left) or B op(T)^-1 (right) with the given triangle of the square T.
template <Scalar S>
void trsm(Side side, Triangle triangle, Op op, Diagonal diagonal, DenseView<const S> t, DenseView<S> b);

/// x := op(T)^-1 x.
template <Scalar S>
void trsv(Triangle triangle, Op op, Diagonal diagonal, DenseView<const S> t, S* x, Index x_stride);

/// y += alpha x.
template <Scalar S>
void axpy(Index n, S alpha, const S* x, S* y);

/// x := alpha x.
template <Scalar S>
void scal(Index n, S alpha, S* x);

template <Scalar S>
void swap(Index n, S* x, Index x_stride, S* y, Index y_stride);

/// A += alpha x y^T (no conjugation), both vectors contiguous.
template <Scalar S>
void ger(S alpha, const S* x, const S* y, Index y_stride, DenseView<S> a);

/// Position of the largest |x_i|, measured as |re| + |im| for complex numbers; -1 for n = 0.
template <Scalar S>
[[nodiscard]] Index index_of_max(Index n, const S* x, Index x_stride = 1);

/// Cholesky factorization of the lower triangle of A in place, A = L L^H. Returns the position of the first pivot that is not
/// positive, or -1.
template <Scalar S>
[[nodiscard]] Index potrf(DenseView<S> a);

}  // namespace frond::blas
