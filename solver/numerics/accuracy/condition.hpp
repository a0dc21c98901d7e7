// SPDX-License-Identifier: BSD-3-Clause
// Estimates how close a factorized matrix is to a singular one.
#pragma once

#include <limits>
#include <span>

#include "frond/dense.hpp"
#include "frond/matrix.hpp"
#include "solver/numerics/sweeps/sweep.hpp"

namespace frond {

struct ConditionEstimate {
  double condition = std::numeric_limits<double>::quiet_NaN();
  bool is_trusted = true;  ///< false: the factors are too far from the matrix for an estimate
};

/// Estimates the 1-norm condition number of the scaled matrix D_r A D_c from a few solves, as estimate_one_norm() does: a lower
/// bound, mostly within a factor of 3. `matrix` is the one that was factorized; empty scalings are none. Infinite when a solve
/// overflows.
template <Scalar S>
[[nodiscard]] double estimate_scaled_condition(const MatrixView<S>& matrix, std::span<const RealOf<S>> row_scaling,
                                               std::span<const RealOf<S>> col_scaling, const SolveInPlace<S>& solve);

/// The same for A itself, whatever its symmetry; `is_transposed`: `matrix` is A^T, whose infinity norm is then used.
template <Scalar S>
[[nodiscard]] double estimate_condition(const MatrixView<S>& matrix, bool is_transposed, const SolveInPlace<S>& solve);

}  // namespace frond
