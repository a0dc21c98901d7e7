// SPDX-License-Identifier: BSD-3-Clause
// How far a computed solution may be from the true one.
#pragma once

#include <span>

#include "matrices/products.hpp"
#include "solver/numerics/accuracy/backward_error.hpp"
#include "solver/numerics/accuracy/condition.hpp"

namespace frond {

/// What A, b and a computed x say about the error of x, in maximum norms.
struct ForwardError {
  double bound = 0;      ///< of ||x - x*|| / ||x||
  double condition = 0;  ///< by which componentwise backward errors are multiplied at most
};

/// Estimates for the computed solution x of op(A) x = b, whatever has computed it, with g = |op(A)| |x| + |b|:
///
///     bound = || |op(A)^-1| ( |b - op(A) x| + 2 eps g ) || / ||x||,      condition = || |op(A)^-1| g || / ||x||
///
/// (Arioli, Demmel & Duff 1989, section 5; the bound as LAPACK's xGERFS, Anderson et al. 1999, whose residual of k entries an
/// equation is not gathered in twice the precision and takes k + 1 for 2; the condition number is Skeel's, 1979). The second term
/// of the bound is what rounding may have done to the residual and to b: it is there even where the residual is zero, so that the
/// bound tells what b and the precision allow. Scaling equations changes nothing of either but rounding. Up to order kMostComputed
/// the magnitudes of the inverse are computed (SmallInverse), and what factors leave of it is added; where that shows that they say
/// nothing of it, both are infinite. Beyond, norms are estimated from a few solves, so that both may be too small by a small
/// factor, and where the residual is below the second term everywhere, the bound is taken from the condition number, which saves
/// half the solves and is at most twice as large. 0 where x and b are zero, infinite when anything overflows.
///
/// `meter` is that of the same operation.
template <Scalar S>
[[nodiscard]] ForwardError estimate_forward_error(const MatrixView<S>& matrix, Operation operation,
                                                  const BackwardErrorMeter<S>& meter, std::span<const S> b, std::span<const S> x,
                                                  const SolveInPlace<S>& solve);

}  // namespace frond
