// SPDX-License-Identifier: BSD-3-Clause
// Checks entries of the inverse by some of its columns.
#pragma once

#include <span>

#include "solver/numerics/accuracy/backward_error.hpp"
#include "solver/numerics/accuracy/condition.hpp"
#include "solver/numerics/answers/inverse.hpp"

namespace frond {

/// Solves for a few of the blocks' columns, spread evenly, with `solve`, which must solve as was done for the entries. Sets in
/// `entries` the numbers of all and of checked columns, and the largest backward error. `meter` is that of `operation`.
template <Scalar S>
void check_columns(std::span<const InverseBlock> blocks, Index order, Operation operation, const BackwardErrorMeter<S>& meter,
                   const SolveInPlace<S>& solve, InverseEntries<S>& entries);

}  // namespace frond
