// SPDX-License-Identifier: BSD-3-Clause
// Combines the counts of several ranks.
#include "factorization/ranks/rank_report.hpp"

#include <algorithm>

#include "factorization/ranks/main_message.hpp"

namespace frond {

static_assert(kNumMainMessageKinds <= TrafficCounts::kMostKinds);

RankRunCounts& RankRunCounts::operator+=(const RankRunCounts& other) {
  flops_assigned += other.flops_assigned;
  flops_done += other.flops_done;
  peak_active_bytes = std::max(peak_active_bytes, other.peak_active_bytes);
  peak_bytes = std::max(peak_bytes, other.peak_bytes);
  main += other.main;
  load_sent += other.load_sent;
  load_received += other.load_received;
  task_seconds = std::max(task_seconds, other.task_seconds);
  snapshot_seconds += other.snapshot_seconds;
  load_thread_cpu_seconds += other.load_thread_cpu_seconds;
  engine += other.engine;
  seconds_at_rest = std::max(seconds_at_rest, other.seconds_at_rest);
  return *this;
}

std::vector<Rank> ranks_that_left(const std::vector<RankRunCounts>& counts) {
  std::vector<Rank> left;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    if (counts[rank].has_left) {
      left.push_back(static_cast<Rank>(rank));
    }
  }
  return left;
}

RankRunCounts counts_of_one_process(const FactorizationReport& report) {
  RankRunCounts counts;
  counts.flops_assigned = report.flops;
  counts.flops_done = report.flops;
  counts.peak_active_bytes = std::max<Count>(0, report.peak_bytes - report.factor_bytes);
  counts.peak_bytes = report.peak_bytes;
  return counts;
}

}  // namespace frond
