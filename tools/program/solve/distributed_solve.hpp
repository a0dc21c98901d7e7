// SPDX-License-Identifier: BSD-3-Clause
// Runs frond solve in several processes.
#pragma once

#include "tools/program/process/exit_code.hpp"
#include "tools/program/process/launch.hpp"
#include "tools/program/solve/solve_arguments.hpp"

namespace frond {

/// Solves together with all processes that MPICH's launcher has started; the first one reads, prints and writes. Throws on all
/// processes alike; if one is lost, the others leave the program at once with ExitCode::process_lost. `farewell` ends MPI.
[[nodiscard]] ExitCode run_distributed_solve(const SolveArguments& arguments, const Launch& launch, Farewell& farewell);

}  // namespace frond
