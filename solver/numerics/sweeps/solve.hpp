// SPDX-License-Identifier: BSD-3-Clause
// Solving with factors: permute and scale b, forward, diagonal, backward, scale and permute x.
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

/// X := op(A)^-1 X for the factorized matrix, as far as it has pivots: where it has none, x is 0. `plan` is that of the factors'
/// tree, x has the order's rows in original numbering, 1 <= columns <= kSolveBlock. `num_threads` as in FactorizationOptions; the
/// result does not depend on it. Subtrees in which all right-hand sides are zero cost nothing in the forward sweep. Throws
/// MemoryError.
template <Scalar S>
void solve_with_factors(const Factors<S>& factors, const SolvePlan& plan, Operation operation, DenseView<S> x, int num_threads);

/// What to do between the sweeps about the variables of a Schur complement. `rows` has the order's rows in original numbering;
/// those of these variables hold b2 - A21 A11^-1 b1, of op(A), and are to become x2. False: x is not wanted.
template <Scalar S>
using BetweenSweeps = std::function<bool(DenseView<S> rows)>;

/// The same where the variables of a Schur complement are not eliminated: X := A11^-1 (b1 - A12 x2), x2 being what `between` makes
/// of them, of op(A). Without X being wanted its rows outside the Schur complement are left as they were. Of parts, the second one.
template <Scalar S>
void solve_around_schur(const Factors<S>& factors, const SolvePlan& plan, SweepPart part, Operation operation, DenseView<S> x,
                        int num_threads, const BetweenSweeps<S>& between);

/// The same of a part of op(A)^-1, see there. With a null pivot, F1 or F2 itself is solved with as if the pivot were 1.
template <Scalar S>
void solve_with_part(const Factors<S>& factors, const SolvePlan& plan, SweepPart part, Operation operation, DenseView<S> x,
                     int num_threads);

/// Some trees of a forest, and the rows and columns of A that they eliminate.
struct EliminatedTrees {
  SweepNodes nodes;
  std::vector<Index> rows;
  std::vector<Index> columns;
};

/// The same of some trees only: the rows of X that belong to others neither count nor change.
template <Scalar S>
void solve_with_trees(const Factors<S>& factors, const SolvePlan& plan, const EliminatedTrees& trees, SweepPart part,
                      Operation operation, DenseView<S> x, int num_threads);

/// X := the given rows of op(A)^-1 B for a sparse B of 1 to kSolveBlock columns: x has as many rows as are given. Only the fronts
/// on the paths from the nonzeros of B to the roots are visited in the forward sweep, and in the backward sweep those on the paths
/// from the roots to the unknowns of the rows. The caller is in a task arena and holds a BlasThreadsGuard. Throws MemoryError.
template <Scalar S>
void solve_selected(const Factors<S>& factors, const SolvePlan& plan, Operation operation, const MatrixView<S>& b,
                    std::span<const Index> rows, DenseView<S> x);

}  // namespace frond
