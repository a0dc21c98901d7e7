// SPDX-License-Identifier: BSD-3-Clause
// The processes of a run that survives losses, for the one that starts them and outlives them.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "frond/types.hpp"
#include "tools/program/process/exit_code.hpp"

namespace frond {

/// What a process is told by the one that starts it.
struct SurvivorPlace {
  Rank rank = 0;
  Rank num_ranks = 1;
  std::string directory;  ///< of the run
  bool is_one_machine = true;
};

/// What this process was told. Throws UsageError if it was not started as one of several that survive losses.
[[nodiscard]] SurvivorPlace own_survivor_place();

/// The file for what the process of that rank says in the attempt of that number on its standard output: until an attempt is the
/// last one, nobody is to read it.
[[nodiscard]] std::string output_file(const std::string& directory, Index attempt, Rank rank);

/// How a run has ended.
struct SurvivorsEnd {
  ExitCode code = ExitCode::success;
  std::vector<Rank> lost;  ///< increasing; of those that were started elsewhere, only those that the others have gone on without
};

/// Starts frond-survivor with the words of this program, in each of these places; returns when the run has ended. Processes that
/// have no part in it any more are killed, all when this process is, or when one is lost that is needed. Signals to end are passed
/// on. Prints what the one that led in the end has said, if it was in one of these places. Throws CommunicationError when none has
/// come to an end, or a process that is needed is lost.
[[nodiscard]] SurvivorsEnd start_survivors(const std::vector<SurvivorPlace>& places,
                                           const std::function<bool(Rank)>& is_needed = {});

/// For one of several who start processes of a run: needs nothing of its directory any more. The one of rank 0 removes it when that
/// is so for all of them, or after some seconds.
void leave_directory(const SurvivorPlace& place);

}  // namespace frond
