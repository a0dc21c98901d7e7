// SPDX-License-Identifier: BSD-3-Clause
// Solves one system of a batch with several processes together.
#pragma once

#include <cstddef>

#include "tools/program/batch/batch_solver.hpp"

namespace frond {

class Place;

/// All processes of the group make this call; the first one reads and writes files and has the items of `solver`. The result is
/// that of the first process, as from BatchSolver::solve(). Throws on all processes alike, except for OutputError, which only the
/// first one throws.
[[nodiscard]] BatchResult solve_in_group(const BatchSolver& solver, const Place& group, std::size_t number);

}  // namespace frond
