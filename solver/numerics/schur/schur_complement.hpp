// SPDX-License-Identifier: BSD-3-Clause
// Computes the Schur complement left by a factorization: its entries, its right-hand sides, and the expansion to all unknowns.
#pragma once

#include "factorization/factors.hpp"
#include "frond/dense.hpp"
#include "matrices/products.hpp"
#include "solver/numerics/accuracy/condition.hpp"
#include "solver/numerics/sweeps/solve.hpp"

namespace frond {

/// S = A22 - A21 A11^-1 A12 of the factorized matrix, block 2 being symbolic().schur_variables(): all entries, in the order of
/// these variables, unscaled. O(the order of S squared).
template <Scalar S>
[[nodiscard]] DenseMatrix<S> schur_complement_of(const Factors<S>& factors);

/// S := S^T.
template <Scalar S>
void transpose(DenseMatrix<S>& square);

/// Factors that leave a Schur complement, of a matrix V = A or (`transposed`) A^T, for the calls of Factorization. Referenced
/// objects must outlive it.
template <Scalar S>
struct CondensedSystem {
  const Factors<S>* factors;  ///< null: there is no Schur complement, and everything that depends on it becomes NaN
  const Symbolic& symbolic;
  const SolvePlan& plan;
  bool transposed;
  int num_threads;

  /// The following throw UsageError for wrong sizes or numbers that are not finite, and MemoryError.
  [[nodiscard]] DenseMatrix<S> schur_complement() const;
  void condense(DenseView<const S> b, DenseView<S> condensed, Operation operation) const;
  void expand(DenseView<const S> b, DenseView<const S> x2, DenseView<S> x, Operation operation) const;
};

/// Throws UsageError unless `all` has the rows of A and `schur` those of the Schur complement, both have the same number of
/// columns, and their storage suffices.
template <Scalar S>
void check_schur_sides(const Symbolic& symbolic, DenseView<const S> all, DenseView<const S> schur);

/// Throws UsageError: factors of lower precision would leave a Schur complement of lower precision.
void check_schur_precision(bool is_mixed, Index schur_order);

}  // namespace frond
