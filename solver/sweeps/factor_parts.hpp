// SPDX-License-Identifier: BSD-3-Clause
// The factors of a matrix one by one.
#pragma once

#include <vector>

#include "factorization/factors.hpp"
#include "matrices/products.hpp"
#include "matrices/types.hpp"
#include "solver/sweeps/sweep_part.hpp"

namespace frond {

/// A = lower * diagonal * upper: see FactorOrder.
enum class FactorPart { lower, diagonal, upper };

/// Which factors these are. Rows of `lower` are rows of A, columns of `upper` are columns of A, and in between are pivots. With
/// k = 0, 1, ... in the order of elimination
///
///   lower(rows[k], pivots[l])     = L(k, l) / row_scaling[rows[k]]        L lower triangular
///   diagonal(pivots[k], pivots[l]) = D(k, l)                              D of 1x1 and 2x2 blocks
///   upper(pivots[k], cols[l])     = U(k, l) / col_scaling[cols[l]]        U upper triangular
///
///   Cholesky   U = L^H, D = I
///   LDLT       U = L^T, L with unit diagonal; LDLH: U = L^H
///   LU         D = I; the diagonal of U is 1, or that of L for a matrix that was given by rows
///
/// So numbers that belong to pivots are as many as A has rows, and come in the order of the rows: `pivots[k]` says where the k-th
/// pivot has its place. For the symmetric methods rows, columns and pivots are the same; for LU a pivot is named by its row (by its
/// column if A was given by rows).
///
/// Of a singular matrix the diagonal has zeros for null pivots. In place of its inverse a generalized one is solved with, which has
/// zeros there, too.
template <Scalar S>
struct FactorOrder {
  std::vector<Index> pivots;  ///< each: 0-based, of the order's length
  std::vector<Index> rows;
  std::vector<Index> cols;
  std::vector<RealOf<S>> row_scaling;  ///< by rows of A; empty: ones
  std::vector<RealOf<S>> col_scaling;  ///< by columns of A; empty: ones
};

/// Those of factors of A or (`is_transposed`) of A^T.
template <Scalar S>
[[nodiscard]] FactorOrder<S> factor_order_of(const Factors<S>& factors, bool is_transposed);

/// Which part of a solve with op(A) is one with op(part). op(A) = op(upper) op(diagonal) op(lower) where op transposes.
[[nodiscard]] constexpr SweepPart sweep_part(FactorPart part, Operation operation) {
  if (part == FactorPart::diagonal) {
    return SweepPart::diagonal;
  }
  return (part == FactorPart::lower) == (operation == Operation::plain) ? SweepPart::first : SweepPart::second;
}

/// The part of the transposed matrix that is the transposed part.
[[nodiscard]] constexpr FactorPart transposed_part(FactorPart part) {
  if (part == FactorPart::diagonal) {
    return part;
  }
  return part == FactorPart::lower ? FactorPart::upper : FactorPart::lower;
}

}  // namespace frond
