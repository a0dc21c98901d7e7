// SPDX-License-Identifier: BSD-3-Clause
// Runs one of the processes of frond solve --survive.
#pragma once

#include "tools/program/process/exit_code.hpp"
#include "tools/program/solve/solve_arguments.hpp"
#include "tools/program/solve/survivor_processes.hpp"

namespace frond {

/// Reads, analyses, factorizes and solves with all living processes, and starts again without lost ones, with a checkpoint from the
/// finished fronts; the lowest rank reads, prints and writes. `farewell` ends the process at once.
[[nodiscard]] ExitCode run_survivor(const SolveArguments& arguments, const SurvivorPlace& place, Farewell& farewell);

}  // namespace frond
