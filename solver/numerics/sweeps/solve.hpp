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
#include "solver/numerics/sweeps/sweep_nodes.hpp"
#include "solver/numerics/sweeps/sweep_part.hpp"

namespace frond {

/// Right-hand sides that are solved together; callers with more pass them in blocks of this many.
inline constexpr Index kSolveBlock = 64;

/// X := op(A)^-1 X for the factorized matrix, as far as it has pivots: without one, x is 0. `plan` is that of the factors' tree, x
/// has the order's rows in original numbering, 1 <= columns <= kSolveBlock. `num_threads` as in FactorizationOptions; the result
/// does not depend on it. Subtrees in which all right-hand sides are zero cost nothing in the forward sweep. Throws MemoryError.
template <Scalar S>
void solve_with_factors(const Factors<S>& factors, const SolvePlan& plan, Operation operation, DenseView<S> x, int num_threads);

/// What to do between the sweeps with the variables of a Schur complement. `rows` has the order's rows in original numbering; those
/// of these variables hold b2 - A21 A11^-1 b1, of op(A), and must become x2. Returns false if x is not wanted.
template <Scalar S>
using BetweenSweeps = std::function<bool(DenseView<S> rows)>;

/// The same for factors that leave a Schur complement: X := A11^-1 (b1 - A12 x2), where `between` computes x2, of op(A). If X is
/// not wanted, its rows outside the Schur complement are unchanged. Of the parts only the second is allowed.
template <Scalar S>
void solve_around_schur(const Factors<S>& factors, const SolvePlan& plan, SweepPart part, Operation operation, DenseView<S> x,
                        int num_threads, const BetweenSweeps<S>& between);

/// The same for a part of op(A)^-1, see SweepPart. A null pivot of F1 or F2 itself counts as 1.
template <Scalar S>
void solve_with_part(const Factors<S>& factors, const SolvePlan& plan, SweepPart part, Operation operation, DenseView<S> x,
                     int num_threads);

/// Some trees of a forest, with the rows and columns of A that they eliminate.
struct EliminatedTrees {
  SweepNodes nodes;
  std::vector<Index> rows;
  std::vector<Index> columns;
};

/// The same for some trees only: the rows of X that belong to others are neither read nor changed.
template <Scalar S>
void solve_with_trees(const Factors<S>& factors, const SolvePlan& plan, const EliminatedTrees& trees, SweepPart part,
                      Operation operation, DenseView<S> x, int num_threads);

/// X := the given rows of op(A)^-1 B for a sparse B of 1 to kSolveBlock columns: x has as many rows as `rows`. The forward sweep
/// visits only the fronts on the paths from the nonzeros of B to the roots, and the backward sweep those on the paths from the
/// roots to the unknowns of the rows. The caller is in a task arena and holds a BlasThreadsGuard. Throws MemoryError.
template <Scalar S>
void solve_selected(const Factors<S>& factors, const SolvePlan& plan, Operation operation, const MatrixView<S>& b,
                    std::span<const Index> rows, DenseView<S> x);

}  // namespace frond
