// SPDX-License-Identifier: BSD-3-Clause
// Runs work on the processes that MPICH's launcher has started.
#pragma once

#include <functional>

#include "loadinfo/messages/ranks/communicator.hpp"
#include "tools/program/process/exit_code.hpp"
#include "tools/program/process/launch.hpp"
#include "tools/program/solve/solve_arguments.hpp"

namespace frond {

/// Calls work(ranks) on all processes, with `num_threads` threads each, and watches them if requested and possible. Exceptions of
/// work() are thrown on all alike; if a process is lost, the others leave the program at once with ExitCode::process_lost.
/// `farewell` ends MPI.
[[nodiscard]] ExitCode run_on_mpi(const SolveArguments& arguments, int num_threads, const Launch& launch, Farewell& farewell,
                                  const std::function<ExitCode(const Communicator&)>& work);

/// Solves together with all processes that MPICH's launcher has started; the first one reads, prints and writes. Throws on all
/// processes alike; if one is lost, the others leave the program at once with ExitCode::process_lost. `farewell` ends MPI.
[[nodiscard]] ExitCode run_distributed_solve(const SolveArguments& arguments, const Launch& launch, Farewell& farewell);

}  // namespace frond
