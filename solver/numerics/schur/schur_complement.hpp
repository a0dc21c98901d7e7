// SPDX-License-Identifier: BSD-3-Clause
// Computes the entries of the Schur complement left by a factorization, and checks its sides.
#pragma once

#include <span>

#include "factorization/factors.hpp"
#include "factorization/fronts/pivot_tolerances.hpp"
#include "factorization/kernels/front_factor.hpp"
#include "frond/dense.hpp"

namespace frond {

/// S = A22 - A21 A11^-1 A12 of the factorized matrix, block 2 being symbolic().schur_variables(): all entries, in the order of
/// these variables, unscaled. O(the order of S squared).
template <Scalar S>
[[nodiscard]] DenseMatrix<S> schur_complement_of(const Factors<S>& factors);

/// schur_complement_of() from the front of the Schur node; variables and scalings as in Symbolic and Factors.
template <Scalar S>
[[nodiscard]] DenseMatrix<S> schur_complement_in(const FrontFactor<S>& front, Method method, std::span<const Index> variables,
                                                 std::span<const RealOf<S>> row_scaling, std::span<const RealOf<S>> col_scaling);

/// S := S^T.
template <Scalar S>
void transpose(DenseMatrix<S>& square);

/// Throws UsageError unless `all` has the rows of A and `schur` those of the Schur complement, both have the same number of
/// columns, and their storage suffices.
template <Scalar S>
void check_schur_sides(const Symbolic& symbolic, DenseView<const S> all, DenseView<const S> schur);

/// Throws UsageError: a complement of perturbed factors would contain the perturbations, which no refinement removes.
void check_schur_pivoting(const PivotingOptions& pivoting, Index schur_order);

/// Throws UsageError: factors of lower precision would leave a Schur complement of lower precision.
void check_schur_precision(bool is_mixed, Index schur_order);

}  // namespace frond
