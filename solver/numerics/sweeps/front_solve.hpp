// SPDX-License-Identifier: BSD-3-Clause
// The triangular solves of one front, for a block of right-hand sides.
#pragma once

#include "factorization/distributed/rank_factors.hpp"
#include "factorization/kernels/front_factor.hpp"
#include "frond/dense.hpp"

namespace frond {

/// Which system the factors are used for. Nothing is conjugated here: to use the conjugate of L, conjugate its operand.
enum class SolveSide {
  plain,      ///< symmetric methods: L, then L^T. LU: A = N^T M^T, so N^T, then M^T
  transposed  ///< LU only, A^T = M N: M, then N
};

/// Right-hand sides are held transposed: f is k x order for k right-hand sides, column i belongs to position i of the front, so
/// that gathering and scattering moves k numbers at a time. With k = 1 everything is level-2 BLAS.
///
/// Forward: solves with the eliminated part of the first factor; positions from num_eliminated on lose its contribution. Backward:
/// the eliminated positions become the solution, given those from num_eliminated on. Large products are shared among the threads of
/// the calling arena, split by their size alone.
///
/// For a row-distributed front these are the master's parts. Slaves do the rest, after the forward solve with L or N^T, and before
/// the backward solve with L^T or N; see is_shared_forward() and is_shared_backward().
template <Scalar S>
void forward_solve(const FrontFactor<S>& front, Method method, SolveSide side, DenseView<S> f);

template <Scalar S>
void backward_solve(const FrontFactor<S>& front, Method method, SolveSide side, DenseView<S> f);

[[nodiscard]] constexpr bool is_shared_forward(Method method, SolveSide side) {
  return method != Method::lu || side == SolveSide::plain;
}
[[nodiscard]] constexpr bool is_shared_backward(Method method, SolveSide side) {
  return method != Method::lu || side == SolveSide::transposed;
}

/// Forward, a slave's rows: subtracts the contribution of the eliminated positions x, f := f - x rows^T.
template <Scalar S>
void subtract_forward(const RowFactor<S>& slave, DenseView<const S> x, DenseView<S> f);

/// Backward: subtracts from the eliminated positions x the contribution of the solution f at a slave's rows, x := x - f rows.
template <Scalar S>
void subtract_backward(const RowFactor<S>& slave, DenseView<const S> f, DenseView<S> x);

/// Solves with D (LDLT, LDLH) and sets the positions of null pivots to zero (LU too).
template <Scalar S>
void diagonal_solve(const FrontFactor<S>& front, Method method, DenseView<S> f);

}  // namespace frond
