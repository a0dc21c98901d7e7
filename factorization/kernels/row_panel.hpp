// SPDX-License-Identifier: BSD-3-Clause
// Row-distributed fronts: the rows that a slave holds, and the panels and rows that master and slaves exchange.
//
// The master holds the fully summed rows, each slave a block J of consecutive contribution rows. What is exchanged only views
// memory: the sender's (a panel until it is committed, rows of L for good) or that of a received message.
//
// The master's part is a FrontFactor that the kernels of one process eliminate: for LU all of it but `upper`, for the symmetric
// methods a front of order p, without contribution rows. finish_upper() and update_contribution() are not called: slaves do that.
#pragma once

#include <span>

#include "factorization/kernels/front_factor.hpp"
#include "frond/dense.hpp"

namespace frond {

/// Two positions that change places.
struct Exchange {
  Index first = 0;
  Index second = 0;
};

// A front of order m with p fully summed rows, whose other rows J1 and J2 two slaves hold:
//
//   Cholesky, LDLT              master    F11            LU, rows of A     master: `lower`, all columns
//   ┌─────┐                     ┌─────┐                  ┌─────┬───────┐   ┌─────┬───────┐
//   │ F11 │                     │ L11 │                  │ F11 │  F12  │   │  M^T \ N^T  │
//   ├─────┼─┐                   └─────┘                  ├─────┼───────┤   └─────┴───────┘
//   │ J1  │ └──┐       slave 1  ┌─────┬─┐                │ J1  │       │   slave 1 and 2:
//   ├─────┼────┴─┐              │ L21 │C│                ├─────┤       │   ┌─────┬───────┐   `upper`, |J| x p: N^T of rows J
//   │ J2  │      └─┐   slave 2  ├─────┼─┴─────┐          │ J2  │       │   │ N^T │   C   │   `cb`: columns J of the contribution
//   └─────┴────────┘            │ L21 │   C   │          └─────┴───────┘   └─────┴───────┘   block of B = A^T
//                               └─────┴───────┘

/// LU: rows J of A.
template <Scalar S>
struct LuRowBlock {
  DenseView<S> upper;  ///< |J| x p, in the fully summed columns of A: rows of FrontFactor::upper
  DenseView<S> cb;     ///< cb_order x |J|: columns of the contribution block of B = A^T

  /// The rows [begin, end) of these.
  [[nodiscard]] LuRowBlock rows(Index begin, Index end) const {
    return {upper.block(begin, 0, end - begin, upper.cols), cb.columns(begin, end)};
  }
};

/// Symmetric methods: rows J of the lower triangle. J = row_begin .. row_begin + |J| - 1, counted from the first contribution row.
template <Scalar S>
struct SymmetricRowBlock {
  Index row_begin = 0;
  DenseView<S> lower;  ///< |J| x p, in the fully summed columns: in the end rows of L, behind them the delayed columns
  DenseView<S> cb;     ///< |J| x (row_begin + |J|), of the contribution block; entries above its diagonal are never read

  /// The rows [begin, end) of these.
  [[nodiscard]] SymmetricRowBlock rows(Index begin, Index end) const {
    return {row_begin + begin, lower.block(begin, 0, end - begin, lower.cols), cb.block(begin, 0, end - begin, row_begin + end)};
  }
};

/// LU, master to slaves: the pivots [begin, begin + exchanged.size()) of B = M N.
template <Scalar S>
struct LuPanel {
  Index begin = 0;
  std::span<const Index>
      exchanged;         ///< [k] = row of B, at or behind begin + k, that was exchanged with it when its pivot was taken
  DenseView<const S> m;  ///< rows [begin, order) of M, unit lower triangular at the top
};

/// Cholesky, master to slaves: columns [begin, begin + l.cols) of L in the rows [begin, p).
template <Scalar S>
struct CholeskyPanel {
  Index begin = 0;
  DenseView<const S> l;
};

/// LDLT and LDLH, master to slaves: pivots that the slaves are to verify, columns [begin, begin + l.cols).
template <Scalar S>
struct LdltPanel {
  Index begin = 0;
  std::span<const Exchange> exchanges;  ///< of fully summed variables since the panel before, in their order
  DenseView<const S> l;                 ///< rows [begin, p), unit lower triangular at the top
  std::span<const S> d;                 ///< of these pivots, as in FrontFactor
  std::span<const PivotKind> pivots;    ///< of these pivots
  bool is_final = false;                ///< static pivoting: they stay, however large the rows of L become
};

/// Symmetric methods, slave to the slaves with rows below its own: final columns [pivot_begin, pivot_begin + l.cols) of L in its
/// rows.
template <Scalar S>
struct RowsOfL {
  Index pivot_begin = 0;
  Index row_begin = 0;
  DenseView<const S> l;

  /// The rows [begin, end) of these.
  [[nodiscard]] RowsOfL rows(Index begin, Index end) const {
    return {pivot_begin, row_begin + begin, l.block(begin, 0, end - begin, l.cols)};
  }
};

}  // namespace frond
