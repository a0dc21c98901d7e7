// SPDX-License-Identifier: BSD-3-Clause
// Sums over ranks and formats the results.
#include "tools/simulation/batch/batch_simulation_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "loadinfo/self_scheduling/chunk_rule.hpp"
#include "matrices/counted.hpp"
#include "solver/options/byte_size.hpp"
#include "tools/program/records/json_list.hpp"
#include "tools/simulation/disturbance_record.hpp"

namespace frond {
namespace {

using Json = nlohmann::ordered_json;

double all_seconds(const SimulatedBatch& batch) { return std::accumulate(batch.seconds.begin(), batch.seconds.end(), 0.0); }

struct Totals {
  double least_busy = 0;
  double most_busy = 0;
  double busy_seconds = 0;
  Count num_finished = 0;
  Count num_chunks = 0;
  Count num_lost = 0;
};

Totals totals_of(const SimulatedBatchResult& result) {
  Totals totals{.least_busy = result.ranks.front().busy_seconds};
  for (const SimulatedWork& rank : result.ranks) {
    totals.least_busy = std::min(totals.least_busy, rank.busy_seconds);
    totals.most_busy = std::max(totals.most_busy, rank.busy_seconds);
    totals.busy_seconds += rank.busy_seconds;
    totals.num_finished += rank.num_tasks;
    totals.num_chunks += rank.num_chunks;
  }
  totals.num_lost = std::count(result.is_lost.begin(), result.is_lost.end(), 1);
  return totals;
}

}  // namespace

void print_batch_simulation(std::FILE* stream, const SimulatedBatchResult& result, const SimulatedBatch& batch) {
  const auto num_systems = static_cast<Count>(batch.seconds.size());
  const auto num_ranks = static_cast<double>(batch.num_ranks);
  const Totals totals = totals_of(result);
  const double sum = all_seconds(batch);
  fmt::print(stream, "batch          {}, {:.4g} s in all; {}, chunks by {}, reissue {}\n", counted(num_systems, "system"), sum,
             counted(batch.num_ranks, "rank"), to_string(batch.chunks), batch.reissues ? "on" : "off");
  print_disturbances(stream, batch.machine, result.competing_seconds);
  if (totals.num_lost > 0) {
    fmt::print(stream, "lost           {}\n", counted(totals.num_lost, "rank"));
  }
  if (result.seconds) {
    fmt::print(stream, "predicted      {:.4g} s; an equal part for each rank would take {:.4g} s\n", *result.seconds,
               sum / num_ranks);
  } else {
    const Count num_missing = num_systems - result.num_systems_done;
    fmt::print(stream, "predicted      no end: ranks that are lost have {}, which {}\n", counted(num_missing, "system"),
               batch.reissues ? "nobody can do any more" : "others solve with --reissue on");
  }
  fmt::print(stream, "each rank      computes for {:.4g} s at least, {:.4g} s on average, {:.4g} s at most\n", totals.least_busy,
             totals.busy_seconds / num_ranks, totals.most_busy);
  fmt::print(stream, "chunks         {} given, and {} cop{} of what others had not finished, {} of which came too late\n",
             totals.num_chunks, result.num_copies, result.num_copies == 1 ? "y" : "ies",
             totals.num_finished - result.num_systems_done);
  fmt::print(stream, "messages       {}, {} together\n", result.messages.messages, format_byte_size(result.messages.bytes));
}

Json batch_simulation_json(const SimulatedBatchResult& result, const SimulatedBatch& batch) {
  const Totals totals = totals_of(result);
  return {{"systems", batch.seconds.size()},
          {"seconds_of_all_systems", all_seconds(batch)},
          {"ranks", batch.num_ranks},
          {"chunks", to_string(batch.chunks)},
          {"reissue", batch.reissues},
          {"slow", slow_json(batch.machine)},
          {"latency_of", latency_json(batch.machine)},
          {"competing_load", competing_json(batch.machine, result.competing_seconds)},
          {"predicted_seconds", result.seconds ? Json(*result.seconds) : Json()},
          {"systems_done", result.num_systems_done},
          {"chunks_given", totals.num_chunks},
          {"copies_given", result.num_copies},
          {"results_dropped", totals.num_finished - result.num_systems_done},
          {"messages", result.messages.messages},
          {"message_bytes", result.messages.bytes},
          {"busy_seconds_per_rank", json_list(result.ranks, &SimulatedWork::busy_seconds)},
          {"systems_per_rank", json_list(result.ranks, &SimulatedWork::num_tasks)},
          {"is_lost_per_rank", result.is_lost}};
}

}  // namespace frond
