// SPDX-License-Identifier: BSD-3-Clause
// Solving with factors: permute and scale b, forward, diagonal, backward, scale and permute x.
#pragma once

#include "factorization/factors.hpp"
#include "factorization/kernels/dense_view.hpp"
#include "matrices/products.hpp"
#include "solver/solve_plan.hpp"

namespace frond {

/// Right-hand sides that are solved together; callers with more pass them in blocks of this many.
inline constexpr Index kSolveBlock = 64;

/// X := op(A)^-1 X for the factorized matrix, as far as it has pivots: where it has none, x is 0. `plan` is that of the factors'
/// tree, x has the order's rows in original numbering, 1 <= columns <= kSolveBlock. `num_threads` as in FactorizationOptions; the
/// result does not depend on it. Throws MemoryError.
template <Scalar S>
void solve_with_factors(const Factors<S>& factors, const SolvePlan& plan, Operation operation, DenseView<S> x, int num_threads);

}  // namespace frond
