// SPDX-License-Identifier: BSD-3-Clause
// The processes of a program that MPICH's launcher has started.
#pragma once

#include <functional>

#include "loadinfo/messages/ranks/communicator.hpp"
#include "tools/program/process/exit_code.hpp"
#include "tools/program/process/launch.hpp"
#include "tools/program/solve/solve_arguments.hpp"

namespace frond {

/// Calls work(ranks) on all processes, each with so many threads, and watches them, if that is wanted and can be. What it throws,
/// it throws on all alike; if one is lost, the others leave the program at once with ExitCode::process_lost. MPI is ended by
/// `farewell`.
[[nodiscard]] ExitCode run_on_mpi(const RanksArguments& arguments, int num_threads, const Launch& launch, Farewell& farewell,
                                  const std::function<ExitCode(const Communicator&)>& work);

}  // namespace frond
