// SPDX-License-Identifier: BSD-3-Clause
// How far a computed solution may be from the true one.
#pragma once

#include <span>

#include "matrices/products.hpp"
#include "solver/backward_error.hpp"
#include "solver/condition.hpp"

namespace frond {

/// Estimates a bound of ||x - x*|| / ||x|| in the maximum norm for the computed solution x of op(A) x = b, whatever has computed
/// it:
///
///     || |op(A)^-1| ( |b - op(A) x| + (k + 1) eps (|op(A)| |x| + |b|) ) || / ||x||,
///
/// k being the largest number of entries in an equation (Arioli, Demmel & Duff 1989, section 5; as LAPACK's xGERFS, Anderson et al.
/// 1999). The second term is what rounding may have done to the residual: it is there even where the residual is zero, so that the
/// bound tells what A, b and the precision allow. Scaling equations changes nothing of it but rounding. The norm is estimated from
/// a few solves, so that the bound may be too small by a small factor. 0 where x and b are zero, infinite when anything overflows.
///
/// `meter` is that of the same operation.
template <Scalar S>
[[nodiscard]] double bound_forward_error(const MatrixView<S>& matrix, Operation operation, const BackwardErrorMeter<S>& meter,
                                         std::span<const S> b, std::span<const S> x, const SolveInPlace<S>& solve);

}  // namespace frond
