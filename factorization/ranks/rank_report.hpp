// SPDX-License-Identifier: BSD-3-Clause
// Counts of the work, messages and memory of one of several ranks during a factorization.
#pragma once

#include <vector>

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

  Count num_decisions = 0;  ///< selections of slaves by this rank as a master
  Count num_slaves = 0;     ///< chosen in them
  Count num_refusals = 0;   ///< of slaves whose memory did not suffice

  Count num_tasks_taken = 0;         ///< leaf subtrees of others, which had not begun
  Count num_rounds = 0;              ///< of requests for them
  Count num_empty_rounds = 0;        ///< of these: no rank gave any
  Count num_refused_for_memory = 0;  ///< of these: the tasks of others need more memory

  Count num_records = 0;            ///< new plans, made because ranks left
  Count num_parts_moved = 0;        ///< of finished fronts, from this rank to others, since it was asked to leave
  Count num_bytes_moved = 0;        ///< of these
  Count num_parts_not_written = 0;  ///< of these: were to go through files, but the disk took no more
  double seconds_at_rest = 0;       ///< from the announcement of a pause to the new plan
  bool has_left = false;            ///< it holds nothing

  RankRunCounts& operator+=(
      const RankRunCounts& other);  ///< other ranks: counts and seconds add up; peaks and the longest tasks prevail
};

/// Returns the ranks whose counts, [rank], say that they have left, increasing.
[[nodiscard]] std::vector<Rank> ranks_that_left(const std::vector<RankRunCounts>& counts);

/// Returns the counts of a process that factorized alone.
[[nodiscard]] RankRunCounts counts_of_one_process(const FactorizationReport& report);

}  // namespace frond
