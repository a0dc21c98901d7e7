// SPDX-License-Identifier: BSD-3-Clause
// One system of a batch, by several processes together.
#pragma once

#include <cstddef>

#include "tools/program/batch/batch_solver.hpp"

namespace frond {

class Ranks;

/// All processes of the group make this call; the first one reads and writes files, and has the items of `solver`. The result is
/// that of the first one, as BatchSolver::solve() has it. Throws on all alike, but for OutputError, which the first one throws.
[[nodiscard]] BatchResult solve_in_group(const BatchSolver& solver, const Ranks& group, std::size_t number);

}  // namespace frond
