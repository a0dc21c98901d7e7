// SPDX-License-Identifier: BSD-3-Clause
// The Schur complement that a factorization has left: its entries, its right-hand sides, and the way back to all unknowns.
#pragma once

#include <span>

#include "factorization/factors.hpp"
#include "frond/dense.hpp"
#include "matrices/products.hpp"
#include "solver/numerics/accuracy/condition.hpp"
#include "solver/numerics/sweeps/solve.hpp"

namespace frond {

/// S = A22 - A21 A11^-1 A12 of the factorized matrix, block 2 being symbolic().schur_variables(): all entries, in the order of
/// these variables, without scales. O(the order of S squared).
template <Scalar S>
[[nodiscard]] DenseMatrix<S> schur_complement_of(const Factors<S>& factors);

/// S := the transposed of S.
template <Scalar S>
void transpose(DenseMatrix<S>& square);

/// Factors that leave a Schur complement, of a matrix V = A or (`transposed`) A^T, as Factorization speaks of them. What is
/// referred to outlives it.
template <Scalar S>
struct CondensedSystem {
  const Factors<S>* factors;  ///< null: there is no Schur complement, and all that depends on it becomes NaN
  const Symbolic& symbolic;
  const SolvePlan& plan;
  bool transposed;
  int num_threads;

  /// What follows throws UsageError for sizes that do not fit or numbers that are not finite, and MemoryError.
  [[nodiscard]] DenseMatrix<S> schur_complement() const;
  void condense(DenseView<const S> b, DenseView<S> condensed, Operation operation) const;
  void expand(DenseView<const S> b, DenseView<const S> x2, DenseView<S> x, Operation operation) const;

  /// X := (op(V11)^-1 x1, 0), by which the condition of V11 is estimated.
  [[nodiscard]] SolveInPlace<S> interior_solve() const;
};

/// Throws UsageError unless `all` has the rows of A and `schur` those of the Schur complement, as many columns, and room for them.
template <Scalar S>
void check_schur_sides(const Symbolic& symbolic, DenseView<const S> all, DenseView<const S> schur);

/// Throws UsageError: factors of lower precision would leave a Schur complement of lower precision.
void check_schur_precision(bool is_mixed, Index schur_order);

}  // namespace frond
