// SPDX-License-Identifier: BSD-3-Clause
// The determinant of A from the pivots of its fronts.
#pragma once

#include "factorization/fronts/assemble.hpp"
#include "factorization/kernels/front_factor.hpp"
#include "frond/factorization_report.hpp"

namespace frond {

/// Returns the determinant of the pivots of a front: det of D, of L L^H, or of N times the sign (-1)^num_exchanges of the exchanges
/// of rows and of columns that led to it. Zero if a pivot is null.
///
/// The product over all fronts is det(D_r A D_c): delayed variables reach the parent as pairs of a row and a column, so each
/// exchange in a front is one exchange in A.
template <Scalar S>
[[nodiscard]] Determinant determinant_of_pivots(const FrontFactor<S>& front, Method method, Count num_exchanges);

/// Divides by the scales of the rows and columns that were eliminated in a front.
template <Scalar S>
void divide_by_scales(const FrontFactor<S>& front, const ScaledValues<S>& matrix, Determinant& determinant);

}  // namespace frond
