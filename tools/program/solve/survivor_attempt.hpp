// SPDX-License-Identifier: BSD-3-Clause
// The common part of processes that survive losses, whatever their work is.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frond/survive.hpp"
#include "tools/program/process/exit_code.hpp"
#include "tools/program/solve/solve_arguments.hpp"
#include "tools/program/solve/survivor_processes.hpp"

namespace frond {

/// Returns the options of a process in its place; a limit of 0 means that nobody watches.
[[nodiscard]] SurvivalOptions survival_options(const SurvivorPlace& place, double limit_seconds);

/// Redirects standard output to a file that the launching process prints at the end, if this is the last attempt. Throws
/// OutputError.
void say_into_output_file(const SurvivorPlace& place, Index attempt);

/// Returns the exit code of work(), or of its exception, which the leading process reports: an error on all processes alike ends
/// the run. An error of this process alone ends it, and the others continue without it. LossError passes.
[[nodiscard]] ExitCode outcome_of_attempt(const SurvivorPlace& place, const SurvivalAttempt& attempt,
                                          const std::function<ExitCode()>& work);

/// Reports on standard error which processes are gone, and from where the others continue.
void tell_loss(const std::vector<Rank>& lost, const std::vector<Rank>& members, const std::string& from);

/// Returns the code of run(), or ExitCode::fenced. `farewell` ends the process without destructors: it waits for nobody.
[[nodiscard]] ExitCode end_at_once(Farewell& farewell, const std::function<ExitCode()>& run);

/// Reads, analyses, factorizes and solves with all living processes, and starts again without lost ones, with a checkpoint from the
/// finished fronts; the lowest rank reads, prints and writes. `farewell` ends the process at once.
[[nodiscard]] ExitCode run_survivor(const SolveArguments& arguments, const SurvivorPlace& place, Farewell& farewell);

}  // namespace frond
