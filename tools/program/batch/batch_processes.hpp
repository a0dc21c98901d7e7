// SPDX-License-Identifier: BSD-3-Clause
// Runs a batch, in one process or in several.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tools/program/batch/batch_arguments.hpp"
#include "tools/program/batch/batch_stop.hpp"
#include "tools/program/process/exit_code.hpp"
#include "tools/program/process/launch.hpp"
#include "tools/program/solve/survivor_processes.hpp"

namespace frond {

class Place;

/// What one of several processes needs to know in addition to its arguments.
struct BatchPlace {
  int num_local = 1;                 ///< processes on this machine
  std::string results;               ///< the file of results; empty: none
  std::function<void()> conclude{};  ///< the first process calls it before it prints the table; may be empty
};

/// All processes call this: the first one deals out systems, works, prints and keeps the results. Throws on the first process, and
/// on all if the run is stopped or cannot continue.
[[nodiscard]] ExitCode run_batch_on_ranks(const Place& processes, const BatchArguments& arguments, const BatchPlace& place,
                                          const std::shared_ptr<BatchStop>& stop);

/// Does the same with all processes that MPICH's launcher has started.
[[nodiscard]] ExitCode run_batch_on_mpi(const BatchArguments& arguments, const Launch& launch, Farewell& farewell);

/// Starts the processes, or under MPICH's launcher one of them, and outlives them. The run survives the loss of all processes but
/// the first, as long as systems are given to others again, and with --survive the loss of all but any one.
[[nodiscard]] ExitCode start_batch_processes(const BatchArguments& arguments, const Launch& launch);

/// Solves the systems of the list that have no results yet, in this process, in several that it starts, or with those that MPICH's
/// launcher has started; prints each result, the counts of all results, and which systems were not solved. Throws UsageError,
/// InputError and OutputError before the first one.
[[nodiscard]] ExitCode run_batch(const BatchArguments& arguments, const Launch& launch, Farewell& farewell);

/// Solves systems with all other processes. With --survive they watch each other, and after a loss the leader continues from the
/// file of results, its own or one in the directory of the run. `farewell` ends the process at once.
[[nodiscard]] ExitCode run_batch_survivor(const BatchArguments& arguments, const SurvivorPlace& place, Farewell& farewell);

}  // namespace frond
