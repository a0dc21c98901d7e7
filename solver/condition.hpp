// SPDX-License-Identifier: BSD-3-Clause
// How close a factorized matrix is to a singular one.
#pragma once

#include "factorization/factors.hpp"
#include "matrices/sparse_matrix.hpp"
#include "solver/solve_plan.hpp"

namespace frond {

/// Estimates the 1-norm condition number of the scaled matrix D_r A D_c from a few solves (Hager 1984; Higham 1988, with the
/// alternating test vector): a lower bound, mostly within a factor of 3. `matrix` is the one that was factorized. Infinite when a
/// solve overflows.
template <Scalar S>
[[nodiscard]] double estimate_scaled_condition(const Factors<S>& factors, const SolvePlan& plan, const MatrixView<S>& matrix,
                                               int num_threads);

}  // namespace frond
