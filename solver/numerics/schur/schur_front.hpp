// SPDX-License-Identifier: BSD-3-Clause
// Extracts the Schur complement from the front that holds it.
#pragma once

#include <span>

#include "factorization/fronts/pivot_tolerances.hpp"
#include "factorization/kernels/front_factor.hpp"
#include "frond/dense.hpp"

namespace frond {

/// schur_complement_of() from the front of the Schur node; variables and scalings as in Symbolic and Factors.
template <Scalar S>
[[nodiscard]] DenseMatrix<S> schur_complement_in(const FrontFactor<S>& front, Method method, std::span<const Index> variables,
                                                 std::span<const RealOf<S>> row_scaling, std::span<const RealOf<S>> col_scaling);

/// Throws UsageError: a complement of perturbed factors would contain the perturbations, which no refinement removes.
void check_schur_pivoting(const PivotingOptions& pivoting, Index schur_order);

}  // namespace frond
