// SPDX-License-Identifier: BSD-3-Clause
// Solves with factors: permute and scale b, forward, diagonal, backward, scale and permute x.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "factorization/factors.hpp"
#include "frond/dense.hpp"
#include "frond/matrix.hpp"
#include "matrices/products.hpp"
#include "solver/numerics/sweeps/solve_plan.hpp"
#include "solver/numerics/sweeps/sweep.hpp"
#include "solver/numerics/sweeps/sweep_nodes.hpp"

namespace frond {

/// Right-hand sides that are solved together; callers with more pass them in blocks of this many.
inline constexpr Index kSolveBlock = 64;

/// Some trees of a forest, with the rows and columns of A that they eliminate.
struct EliminatedTrees {
  SweepNodes nodes;
  std::vector<Index> rows;
  std::vector<Index> columns;
};

/// Solves with factors of A. `plan` is that of their tree, x has the order's rows in original numbering, 1 <= columns <=
/// kSolveBlock; all rows are computed. Without a pivot, x is 0; a null pivot of F1 or F2 itself counts as 1 (see SweepPart).
/// Subtrees in which all right-hand sides are zero cost nothing in the forward sweep. Rows of X that do not belong to `trees`, if
/// these are not null, are neither read nor changed. `num_threads` as in FactorizationOptions; the result does not depend on it.
///
/// Factors that leave a Schur complement solve for the whole system if solve_complement(rows) replaces b2 - A21 A11^-1 b1, of
/// op(A), by x2 in the rows of its variables. Of the parts only the second is allowed with them, to expand.
///
/// Throws MemoryError.
template <Scalar S>
void solve_with_factors(const Factors<S>& factors, const SolvePlan& plan, const Sweep<S>& sweep, int num_threads,
                        const EliminatedTrees* trees = nullptr,
                        const std::function<void(DenseView<S> rows)>& solve_complement = {});

/// X := the given rows of op(A)^-1 B for a sparse B of 1 to kSolveBlock columns: x has as many rows as `rows`. The forward sweep
/// visits only the fronts on the paths from the nonzeros of B to the roots, and the backward sweep those on the paths from the
/// roots to the unknowns of the rows. The caller is in a task arena and holds a BlasThreadsGuard. Throws MemoryError.
template <Scalar S>
void solve_selected(const Factors<S>& factors, const SolvePlan& plan, Operation operation, const MatrixView<S>& b,
                    std::span<const Index> rows, DenseView<S> x);

}  // namespace frond
