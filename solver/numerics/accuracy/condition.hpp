// SPDX-License-Identifier: BSD-3-Clause
// How close a factorized matrix is to a singular one.
#pragma once

#include <functional>
#include <limits>
#include <span>

#include "frond/dense.hpp"
#include "frond/matrix.hpp"
#include "matrices/products.hpp"

namespace frond {

/// X := op(A)^-1 X by the factors of A.
template <Scalar S>
using SolveInPlace = std::function<void(Operation operation, DenseView<S> x)>;

struct ConditionEstimate {
  double condition = std::numeric_limits<double>::quiet_NaN();
  bool is_trusted = true;  ///< false: the factors are too far from the matrix to say anything
};

/// Estimates the 1-norm condition number of the scaled matrix D_r A D_c from a few solves, as estimate_one_norm() does: a lower
/// bound, mostly within a factor of 3. `matrix` is the one that was factorized; empty scalings are none. Infinite when a solve
/// overflows.
template <Scalar S>
[[nodiscard]] double estimate_scaled_condition(const MatrixView<S>& matrix, std::span<const RealOf<S>> row_scaling,
                                               std::span<const RealOf<S>> col_scaling, const SolveInPlace<S>& solve);

/// The same of A as it is, no matter which symmetry; `is_transposed`: `matrix` is A^T, whose infinity norm is meant then.
template <Scalar S>
[[nodiscard]] double estimate_condition(const MatrixView<S>& matrix, bool is_transposed, const SolveInPlace<S>& solve);

}  // namespace frond
