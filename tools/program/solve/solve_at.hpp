// SPDX-License-Identifier: BSD-3-Clause
// Runs `frond solve` at a place.
#pragma once

#include "frond/place.hpp"
#include "tools/program/process/exit_code.hpp"
#include "tools/program/solve/solve_arguments.hpp"

namespace frond {

/// Called by all processes of the place; the leading one reads and writes. Throws on all alike.
[[nodiscard]] ExitCode solve_at(const Place& place, const SolveArguments& arguments);

}  // namespace frond
