// SPDX-License-Identifier: BSD-3-Clause
// Starts and outlives the processes of a run that survives losses.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "frond/types.hpp"
#include "tools/program/process/exit_code.hpp"

namespace frond {

/// What a process learns from the one that starts it.
struct SurvivorPlace {
  Rank rank = 0;
  Rank num_ranks = 1;
  std::string directory;  ///< of the run
  bool is_one_machine = true;
};

/// Returns this process's place. Throws UsageError if it was not started as one of several that survive losses.
[[nodiscard]] SurvivorPlace own_survivor_place();

/// Returns the file for the standard output of that rank in this attempt: nobody may read it until an attempt is known to be the
/// last one.
[[nodiscard]] std::string output_file(const std::string& directory, Index attempt, Rank rank);

/// How a run ended.
struct SurvivorsEnd {
  ExitCode code = ExitCode::success;
  std::vector<Rank> lost;  ///< increasing; of processes started elsewhere, only those that the others continued without
};

/// Starts frond-survivor with the words of this program, in each of these places; returns when the run has ended. Kills processes
/// that no longer take part, and all of them when this process ends or a needed one is lost. Passes on signals to end. Prints the
/// output of the last leader if it was in one of these places. Throws CommunicationError if no process finishes or a needed one is
/// lost.
[[nodiscard]] SurvivorsEnd start_survivors(const std::vector<SurvivorPlace>& places,
                                           const std::function<bool(Rank)>& is_needed = {});

/// Called by each of several processes that start parts of a run, once it no longer needs the directory. The one of rank 0 removes
/// it when all have called, or after several seconds.
void leave_directory(const SurvivorPlace& place);

}  // namespace frond
