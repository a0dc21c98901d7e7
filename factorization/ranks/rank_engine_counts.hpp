// SPDX-License-Identifier: BSD-3-Clause
// Counts what the engine of a rank does; reports of runs and of simulations hold the same struct.
#pragma once

#include <algorithm>

#include "frond/types.hpp"

namespace frond {

/// What a rank has done besides its tasks.
struct RankEngineCounts {
  Count decisions = 0;           ///< choices of slaves, those after a refusal included
  Count slaves_chosen = 0;       ///< other ranks; the master itself does not count
  Count refusals = 0;            ///< by this rank, as a slave
  Count rounds = 0;              ///< of requests for others' tasks, begun
  Count empty_rounds = 0;        ///< of these: no rank gave any
  Count refused_for_memory = 0;  ///< of these: available tasks need more memory than this rank had
  Count dry_answers = 0;         ///< to requests of others: no rank has any tasks left
  Count tasks_taken = 0;         ///< from others
  Count tasks_given = 0;         ///< to others
  Count records = 0;             ///< plans put in force
  Count pauses = 0;              ///< that were begun
  Count put_aside = 0;           ///< messages that arrived before the plan under which they were sent
  Count parts_sent = 0;          ///< of finished fronts, to ranks that take them over
  Count parts_not_written = 0;   ///< of these: were to go through files, but the disk took no more
  Count bytes_sent = 0;

  /// Adds the counts of another rank: plans and pauses are those of all ranks together.
  RankEngineCounts& operator+=(const RankEngineCounts& other) {
    records = std::max(records, other.records);
    pauses = std::max(pauses, other.pauses);
    for (Count RankEngineCounts::*const count :
         {&RankEngineCounts::decisions, &RankEngineCounts::slaves_chosen, &RankEngineCounts::refusals, &RankEngineCounts::rounds,
          &RankEngineCounts::empty_rounds, &RankEngineCounts::refused_for_memory, &RankEngineCounts::dry_answers,
          &RankEngineCounts::tasks_taken, &RankEngineCounts::tasks_given, &RankEngineCounts::put_aside,
          &RankEngineCounts::parts_sent, &RankEngineCounts::parts_not_written, &RankEngineCounts::bytes_sent}) {
      this->*count += other.*count;
    }
    return *this;
  }
};

}  // namespace frond
