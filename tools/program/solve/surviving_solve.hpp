// SPDX-License-Identifier: BSD-3-Clause
// Runs frond solve --survive: processes that reach an answer as long as one of them lives.
#pragma once

#include <functional>

#include "tools/program/process/exit_code.hpp"
#include "tools/program/process/launch.hpp"
#include "tools/program/solve/solve_arguments.hpp"
#include "tools/program/solve/survivor_processes.hpp"

namespace frond {

/// Starts the processes, or under MPICH's launcher one of them, and outlives them (survivor.hpp): returns the exit code of the run.
[[nodiscard]] ExitCode run_surviving_solve(const SolveArguments& arguments, const Launch& launch);

/// Throws UsageError if losses cannot be survived.
void check_survival(const RanksArguments& arguments, const Launch& launch);

/// Does the same for any command that frond-survivor runs with the words of this program; see start_survivors().
[[nodiscard]] SurvivorsEnd run_survivors(const RanksArguments& arguments, const Launch& launch,
                                         const std::function<bool(Rank)>& is_needed = {});

/// Replaces this process by `mpiexec.mpich -n P` of itself. Throws UsageError if there is no such launcher.
[[noreturn]] ExitCode become_mpi_processes(const SolveArguments& arguments);

}  // namespace frond
