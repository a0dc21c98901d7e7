// SPDX-License-Identifier: BSD-3-Clause
// What the processes do that survive losses, whatever their work is.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frond/survive.hpp"
#include "tools/program/process/exit_code.hpp"
#include "tools/program/solve/survivor_processes.hpp"

namespace frond {

/// Of a process in its place; a limit of 0: nobody watches.
[[nodiscard]] SurvivalOptions survival_options(const SurvivorPlace& place, double limit_seconds);

/// From now on standard output is what whoever has started the processes prints at the end, if this is the last attempt. Throws
/// OutputError.
void say_into_output_file(const SurvivorPlace& place, Index attempt);

/// The code of work(), or of what it throws, which the process that leads says: what fails on all alike is an end as good as any.
/// What has happened to this process alone ends it, and the others go on without it. LossError passes.
[[nodiscard]] ExitCode outcome_of_attempt(const SurvivorPlace& place, const SurvivalAttempt& attempt,
                                          const std::function<ExitCode()>& work);

/// Says on standard error who is gone, and from where others go on.
void tell_loss(const std::vector<Rank>& lost, const std::vector<Rank>& members, const std::string& from);

/// The code of run(), or ExitCode::fenced. `farewell` ends the process without destructors: nobody is waited for any more.
[[nodiscard]] ExitCode end_at_once(Farewell& farewell, const std::function<ExitCode()>& run);

}  // namespace frond
