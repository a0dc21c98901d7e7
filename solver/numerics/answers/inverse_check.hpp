// SPDX-License-Identifier: BSD-3-Clause
// Are entries of the inverse right? Some of its columns tell.
#pragma once

#include <span>

#include "solver/numerics/accuracy/backward_error.hpp"
#include "solver/numerics/accuracy/condition.hpp"
#include "solver/numerics/answers/inverse.hpp"

namespace frond {

/// Solves for a few of the blocks' columns, spread evenly, with `solve`, which is to solve as it was done for the entries, and
/// notes in `entries` how many columns there are and were checked, and the largest backward error. `meter` is that of `operation`.
template <Scalar S>
void check_columns(std::span<const InverseBlock> blocks, Index order, Operation operation, const BackwardErrorMeter<S>& meter,
                   const SolveInPlace<S>& solve, InverseEntries<S>& entries);

}  // namespace frond
