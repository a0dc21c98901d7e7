// SPDX-License-Identifier: BSD-3-Clause
// The routines of ScaLAPACK that Frond calls, under one name for all four scalar types. All of them are collective over a context.
#pragma once

#include <array>

#include "factorization/kernels/blas.hpp"
#include "frond/types.hpp"

namespace frond::scalapack {

/// A distributed matrix, one rank's part of it and its description.
template <Scalar S>
struct Matrix {
  S* entries = nullptr;
  std::array<int, 9> descriptor = {};
};

/// A matrix in blocks of the given sizes from process (0, 0) of the context on; `ld` is that of this rank's part.
template <Scalar S>
[[nodiscard]] Matrix<S> matrix(S* entries, int context, Index rows, Index cols, Index row_block, Index col_block, Index ld);

/// LU factorization in place with exchanges of rows, P A = L U. exchanged[i] = 1-based number of the row that was exchanged with
/// local row i; its length is that of the local rows plus one block.
template <Scalar S>
void getrf(Index n, const Matrix<S>& a, int* exchanged);

/// B := op(T)^-1 B, T being a triangle of A.
template <Scalar S>
void trsm(blas::Triangle triangle, blas::Op op, blas::Diagonal diagonal, const Matrix<S>& a, const Matrix<S>& b);

/// Exchanges of rows as getrf() has left them, on one rank.
struct Exchanges {
  const int* rows = nullptr;
  Index num_local_rows = 0;
  Rank num_grid_rows = 1;
  Rank grid_col = 0;  ///< of this rank
};

/// Exchanges rows of B, which is distributed as A was, in the order of the factorization (`is_forward`), or back.
template <Scalar S>
void exchange_rows(bool is_forward, const Exchanges& exchanges, const Matrix<S>& b);

/// Columns of a matrix, from `begin` on.
template <Scalar S>
struct Columns {
  const Matrix<S>& matrix;
  Index begin = 0;
};

/// Copies columns between matrices of the same number of rows and of any two distributions over the same context.
template <Scalar S>
void copy_columns(const Columns<S>& from, const Columns<S>& to, Index num_cols, int context);

}  // namespace frond::scalapack
