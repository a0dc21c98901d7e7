// SPDX-License-Identifier: BSD-3-Clause
// A batch in several processes.
#pragma once

#include <functional>
#include <string>

#include "tools/program/batch/batch_arguments.hpp"
#include "tools/program/batch/batch_stop.hpp"
#include "tools/program/process/exit_code.hpp"
#include "tools/program/process/launch.hpp"

namespace frond {

class Ranks;

/// What a process of several knows beside its arguments.
struct BatchPlace {
  int num_local = 1;                 ///< processes on this machine
  std::string results;               ///< the file of results; empty: none
  std::function<void()> conclude{};  ///< called by the first one before it prints the table; may be empty
};

/// All processes call this: the first one deals out, works, prints and keeps the results. Throws on it, and on all where the run is
/// stopped or cannot go on.
[[nodiscard]] ExitCode run_batch_on_ranks(const Ranks& ranks, const BatchArguments& arguments, const BatchPlace& place,
                                          BatchStop& stop);

/// The same with all processes that MPICH's launcher has started.
[[nodiscard]] ExitCode run_batch_on_mpi(const BatchArguments& arguments, const Launch& launch, Farewell& farewell);

/// Starts the processes, or below MPICH's launcher one of them, and outlives them. The loss of all but the first ends nothing, as
/// long as systems are given to others again, nor with --survive the loss of any but one.
[[nodiscard]] ExitCode start_batch_processes(const BatchArguments& arguments, const Launch& launch);

}  // namespace frond
