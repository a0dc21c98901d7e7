// SPDX-License-Identifier: BSD-3-Clause
// Runs one of the processes of frond batch --processes.
#pragma once

#include "tools/program/batch/batch_arguments.hpp"
#include "tools/program/process/exit_code.hpp"
#include "tools/program/solve/survivor_processes.hpp"

namespace frond {

/// Solves systems with all other processes. With --survive they watch each other, and after a loss the leader continues from the
/// file of results, its own or one in the directory of the run. `farewell` ends the process at once.
[[nodiscard]] ExitCode run_batch_survivor(const BatchArguments& arguments, const SurvivorPlace& place, Farewell& farewell);

}  // namespace frond
