// SPDX-License-Identifier: BSD-3-Clause
// Computes the entries of the Schur complement left by a factorization, and checks its sides.
#pragma once

#include "factorization/factors.hpp"
#include "frond/dense.hpp"

namespace frond {

/// S = A22 - A21 A11^-1 A12 of the factorized matrix, block 2 being symbolic().schur_variables(): all entries, in the order of
/// these variables, unscaled. O(the order of S squared).
template <Scalar S>
[[nodiscard]] DenseMatrix<S> schur_complement_of(const Factors<S>& factors);

/// S := S^T.
template <Scalar S>
void transpose(DenseMatrix<S>& square);

/// Throws UsageError unless `all` has the rows of A and `schur` those of the Schur complement, both have the same number of
/// columns, and their storage suffices.
template <Scalar S>
void check_schur_sides(const Symbolic& symbolic, DenseView<const S> all, DenseView<const S> schur);

/// Throws UsageError: factors of lower precision would leave a Schur complement of lower precision.
void check_schur_precision(bool is_mixed, Index schur_order);

}  // namespace frond
