// SPDX-License-Identifier: BSD-3-Clause
// Counts of the work, messages and memory of one of several ranks during a factorization.
#pragma once

#include <vector>

#include "factorization/ranks/rank_engine_counts.hpp"
#include "frond/factorization_report.hpp"
#include "loadinfo/mechanisms/load_message.hpp"
#include "loadinfo/messages/counted_channel.hpp"

namespace frond {

/// Plain values, so that they can be sent as they are.
struct RankRunCounts {
  double flops_assigned = 0;  ///< by the mapping; of a row-distributed front an equal part for each candidate
  double flops_done = 0;
  Count peak_active_bytes = 0;  ///< contribution blocks, workspaces, rows that have arrived but are not assembled
  Count peak_bytes = 0;         ///< with the factors, by the meter

  TrafficCounts main;  ///< messages of the factorization itself; kinds are those of MainMessage
  LoadMessageCounts load_sent;
  Count load_received = 0;
  double task_seconds = 0;             ///< from the start of the tasks until all ranks have ended
  double snapshot_seconds = 0;         ///< during which the load exchange was blocked
  double load_thread_cpu_seconds = 0;  ///< 0 without a load thread

  RankEngineCounts engine;     ///< decisions, requests for tasks of others, moves
  double seconds_at_rest = 0;  ///< from the announcement of a pause to the new plan
  bool has_left = false;       ///< it holds nothing

  RankRunCounts& operator+=(
      const RankRunCounts& other);  ///< other ranks: counts and seconds add up; peaks and the longest tasks prevail
};

/// Returns the ranks whose counts, [rank], say that they have left, increasing.
[[nodiscard]] std::vector<Rank> ranks_that_left(const std::vector<RankRunCounts>& counts);

/// Returns the counts of a process that factorized alone.
[[nodiscard]] RankRunCounts counts_of_one_process(const FactorizationReport& report);

}  // namespace frond
