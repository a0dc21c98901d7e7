// SPDX-License-Identifier: BSD-3-Clause
// frond solve --survive: processes that come to an answer as long as one of them lives.
#pragma once

#include "tools/process/exit_code.hpp"
#include "tools/process/launch.hpp"
#include "tools/solve/solve_arguments.hpp"

namespace frond {

/// Starts the processes, or below MPICH's launcher one of them, and outlives them (survivor.hpp): returns the code of the run.
[[nodiscard]] ExitCode run_surviving_solve(const SolveArguments& arguments, const Launch& launch);

/// This process becomes `mpiexec.mpich -n P` of itself. Throws UsageError if there is no such launcher.
[[noreturn]] ExitCode become_mpi_processes(const SolveArguments& arguments);

}  // namespace frond
