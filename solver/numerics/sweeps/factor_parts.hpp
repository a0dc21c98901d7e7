// SPDX-License-Identifier: BSD-3-Clause
// Gives access to the single factors of a matrix.
#pragma once

#include "factorization/factors.hpp"
#include "frond/answers.hpp"
#include "frond/types.hpp"
#include "solver/numerics/sweeps/sweep.hpp"

namespace frond {

/// The order of factors of A or (`is_transposed`) of A^T.
template <Scalar S>
[[nodiscard]] FactorOrder<S> factor_order_of(const Factors<S>& factors, bool is_transposed);

/// The part of a solve with op(A) that solves with op(part). op(A) = op(upper) op(diagonal) op(lower) if op transposes.
[[nodiscard]] constexpr SweepPart sweep_part(FactorPart part, Operation operation) {
  if (part == FactorPart::diagonal) {
    return SweepPart::diagonal;
  }
  return (part == FactorPart::lower) == (operation == Operation::plain) ? SweepPart::first : SweepPart::second;
}

/// The part of the transposed matrix that is this part transposed.
[[nodiscard]] constexpr FactorPart transposed_part(FactorPart part) {
  if (part == FactorPart::diagonal) {
    return part;
  }
  return part == FactorPart::lower ? FactorPart::upper : FactorPart::lower;
}

}  // namespace frond
