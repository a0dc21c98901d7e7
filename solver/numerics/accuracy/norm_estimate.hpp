// SPDX-License-Identifier: BSD-3-Clause
// Estimates the 1-norm of a matrix that is given only by its products.
#pragma once

#include <functional>
#include <vector>

#include "frond/dense.hpp"
#include "frond/types.hpp"

namespace frond {

/// X := M X, or M^H X.
template <Scalar S>
using ApplyInPlace = std::function<void(bool adjoint, DenseView<S> x)>;

/// Up to this order norms are computed exactly, by one product of M with as many columns, instead of estimated.
inline constexpr Index kMostComputed = 64;

/// The column sums of |M|, by one product with it. Infinite if that overflows.
template <Scalar S>
[[nodiscard]] std::vector<double> sums_of_columns(Index order, const ApplyInPlace<S>& apply);

/// Estimates the 1-norm of the square matrix M from about four products with M and M^H, seven of them at most (Hager 1984,
/// "Condition estimates"; Higham 1988, "FORTRAN codes for estimating the one-norm of a real or complex matrix", with the
/// alternating test vector): a lower bound, mostly within a factor of 3, or the norm itself up to kMostComputed. Infinite when a
/// product overflows; 0 for order 0.
template <Scalar S>
[[nodiscard]] double estimate_one_norm(Index order, const ApplyInPlace<S>& apply);

}  // namespace frond
