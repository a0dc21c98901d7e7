// SPDX-License-Identifier: BSD-3-Clause
// Bounds how far a computed solution may be from the true one.
#pragma once

#include <span>

#include "matrices/products.hpp"
#include "solver/numerics/accuracy/backward_error.hpp"
#include "solver/numerics/accuracy/condition.hpp"

namespace frond {

/// What A, b and a computed x imply for the error of x, in maximum norms.
struct ForwardError {
  double bound = 0;      ///< of ||x - x*|| / ||x||
  double condition = 0;  ///< largest factor that multiplies componentwise backward errors
};

/// Estimates for the computed solution x of op(A) x = b, however it was computed, with g = |op(A)| |x| + |b|:
///
///     bound = || |op(A)^-1| ( |b - op(A) x| + 2 eps g ) || / ||x||,      condition = || |op(A)^-1| g || / ||x||
///
/// (Arioli, Demmel & Duff 1989, section 5; the bound as LAPACK's xGERFS, Anderson et al. 1999, whose residual, with k entries per
/// equation, is not accumulated in twice the precision, so that it has k + 1 in place of 2; the condition number is Skeel's, 1979).
/// The second term of the bound accounts for rounding in the residual and in b: it remains even if the residual is zero, so that
/// the bound shows what b and the precision allow. Scaling equations changes both only by rounding. Up to order kMostComputed the
/// magnitudes of the inverse are computed (SmallInverse), and the error of the factors is added; if the factors are too far from A,
/// both are infinite. For larger orders norms are estimated from a few solves, so that both may be too small by a small factor, and
/// if the residual is below the second term everywhere, the bound is taken from the condition number, which saves half the solves
/// and is at most twice as large. 0 where x and b are zero, infinite when anything overflows.
///
/// `meter` is that of the same operation.
template <Scalar S>
[[nodiscard]] ForwardError estimate_forward_error(const MatrixView<S>& matrix, Operation operation,
                                                  const BackwardErrorMeter<S>& meter, std::span<const S> b, std::span<const S> x,
                                                  const SolveInPlace<S>& solve);

}  // namespace frond
