// SPDX-License-Identifier: BSD-3-Clause
// The 1-norm of a matrix that is known by its products only.
#pragma once

#include <functional>
#include <span>

#include "frond/types.hpp"

namespace frond {

/// x := M x, or M^H x.
template <Scalar S>
using ApplyInPlace = std::function<void(bool adjoint, std::span<S> x)>;

/// Estimates the 1-norm of the square matrix M from some four products with M and M^H, seven of them at most (Hager 1984,
/// "Condition estimates"; Higham 1988, "FORTRAN codes for estimating the one-norm of a real or complex matrix", with the
/// alternating test vector): a lower bound, mostly within a factor of 3. Infinite when a product overflows; 0 for order 0.
template <Scalar S>
[[nodiscard]] double estimate_one_norm(Index order, const ApplyInPlace<S>& apply);

}  // namespace frond
