// SPDX-License-Identifier: BSD-3-Clause
// Formats facts about a simulation.
#include "tools/simulation/simulation_record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "factorization/ranks/work_search.hpp"
#include "loadinfo/self_scheduling/chunk_rule.hpp"
#include "matrices/counted.hpp"
#include "solver/options/byte_size.hpp"
#include "tools/program/records/distribution_record.hpp"
#include "tools/program/records/json_list.hpp"
#include "tools/simulation/disturbance_record.hpp"

namespace frond {
namespace {

using Json = nlohmann::ordered_json;

double entries(double bytes, Count scalar_bytes) { return bytes / static_cast<double>(scalar_bytes); }

void print_checkpoint(std::FILE* stream, const SimulationResult& result, const SimulationTotals& totals) {
  fmt::print(
      stream,
      "checkpoint     {} written; ranks waited {:.3g} s for blocks, {} of which were left out, and {:.3g} s for the disk in the "
      "end\n",
      format_byte_size(totals.num_bytes_written), totals.seconds_waited, totals.num_blocks_left_out,
      result.seconds - result.computed_seconds);
  if (const FailureCost cost = failure_cost(result); !result.lists.empty()) {
    fmt::print(stream, "failure        costs {:.3g} s on average, {:.3g} s at most, by {}\n", cost.mean_seconds, cost.most_seconds,
               counted(std::ssize(result.lists), "list"));
  }
}

Json restarts_json(const SimulationResult& result) {
  Json restarts = Json::array();
  for (const SimulatedRestart& restart : result.restarts) {
    restarts.push_back({{"lost", restart.lost},
                        {"lost_seconds", restart.lost_seconds},
                        {"begin_seconds", restart.begin_seconds},
                        {"ranks", restart.num_ranks},
                        {"fronts_found", restart.num_fronts_found},
                        {"flops_found", restart.flops_found}});
  }
  return restarts;
}

// Returns null if no checkpoint was requested.
Json checkpoint_json(const SimulationResult& result, const SimulationTotals& totals, const SimulationOptions& options) {
  if (options.list_seconds <= 0) {
    return nullptr;
  }
  Json lists = Json::array();
  for (const SimulatedList& list : result.lists) {
    lists.push_back({{"seconds", list.seconds}, {"flops_done", list.flops_done}, {"flops_resumable", list.flops_resumable}});
  }
  const FailureCost cost = failure_cost(result);
  return {{"bytes_written", totals.num_bytes_written},
          {"blocks_left_out", totals.num_blocks_left_out},
          {"seconds_waited", totals.seconds_waited},
          {"seconds_at_end", result.seconds - result.computed_seconds},
          {"failure_seconds_mean", cost.mean_seconds},
          {"failure_seconds_max", cost.most_seconds},
          {"lists", std::move(lists)}};
}

}  // namespace

SimulationTotals totals_of(const SimulationResult& result) {
  SimulationTotals totals;
  const auto num_ranks = static_cast<double>(result.ranks.size());
  double most_busy = 0;
  for (std::size_t k = 0; k < result.ranks.size(); ++k) {
    const SimulatedRankCounts& rank = result.ranks[k];
    most_busy = std::max(most_busy, rank.busy_seconds);
    totals.mean_busy_seconds += rank.busy_seconds / num_ranks;
    totals.mean_peak_active_bytes += static_cast<double>(rank.peak_active_bytes) / num_ranks;
    if (rank.peak_active_bytes > totals.peak_active_bytes) {
      totals.fullest_rank = static_cast<Rank>(k);
    }
    totals += rank;
  }
  totals.load_imbalance = totals.mean_busy_seconds > 0 ? most_busy / totals.mean_busy_seconds : 0;
  return totals;
}

FailureCost failure_cost(const SimulationResult& result) {
  FailureCost cost;
  for (const SimulatedList& list : result.lists) {
    const double share = result.flops > 0 ? (list.flops_done - list.flops_resumable) / result.flops : 0;
    const double seconds = share * result.computed_seconds;
    cost.mean_seconds += seconds / static_cast<double>(result.lists.size());
    cost.most_seconds = std::max(cost.most_seconds, seconds);
  }
  return cost;
}

void print_simulation(std::FILE* stream, const SimulationResult& result, const SimulationOptions& options, Count scalar_bytes) {
  const SimulationTotals totals = totals_of(result);
  fmt::print(stream,
             "predicted      {:.4g} s of factorization on {} ranks; a rank computes for {:.4g} s on average, the busiest {:.2f} "
             "times as long\n",
             result.seconds, result.ranks.size(), totals.mean_busy_seconds, totals.load_imbalance);
  fmt::print(stream, "active memory  {:.4g} million entries on rank {}, {:.4g} on average; with factors at most {}\n",
             1e-6 * entries(static_cast<double>(totals.peak_active_bytes), scalar_bytes), totals.fullest_rank,
             1e-6 * entries(totals.mean_peak_active_bytes, scalar_bytes), format_byte_size(totals.peak_bytes));
  fmt::print(stream, "decisions      {}, {} slaves chosen, {} refused\n", totals.engine.decisions, totals.engine.slaves_chosen,
             totals.engine.refusals);
  print_taken(stream, totals.engine, to_string(options.sharing));
  print_disturbances(stream, options.machine, result.competing_seconds);
  fmt::print(stream, "messages       {} ({}) of the factorization, {} ({}) about load\n", totals.main.sent.messages,
             format_byte_size(totals.main.sent.bytes), totals.load_sent.total_messages(),
             format_byte_size(totals.load_sent.total_bytes()));
  for (std::size_t rank = 0; rank < result.ranks.size(); ++rank) {
    if (const SimulatedRankCounts& counts = result.ranks[rank]; counts.has_left) {
      fmt::print(stream, "left           rank {}: {} parts of finished fronts, {}, went to others until {:.4g} s\n", rank,
                 counts.engine.parts_sent, format_byte_size(counts.engine.bytes_sent), counts.empty_at_seconds);
    }
  }
  for (const SimulatedRestart& restart : result.restarts) {
    fmt::print(stream, "lost           {} {} at {:.4g} s: {} go{} on at {:.4g} s, {} ({:.3g} % of the flops) found\n",
               restart.lost.size() == 1 ? "rank" : "ranks", fmt::join(restart.lost, ", "), restart.lost_seconds, restart.num_ranks,
               restart.num_ranks == 1 ? "es" : "", restart.begin_seconds, counted(restart.num_fronts_found, "front"),
               result.flops > 0 ? 100 * restart.flops_found / result.flops : 0);
  }
  for (const std::string& why : result.refused_drains) {
    fmt::print(stream, "cannot leave   {}\n", why);
  }
  if (const double rest = result.ranks.front().seconds_at_rest; rest > 0) {
    fmt::print(stream, "at rest        {:.4g} s, in which no front began\n", rest);
  }
  if (options.list_seconds > 0) {
    print_checkpoint(stream, result, totals);
  }
  if (totals.snapshot_seconds > 0) {
    fmt::print(stream, "snapshots      {:.4g} s, all ranks together ({} of load, load thread: {})\n", totals.snapshot_seconds,
               to_string(options.load_exchange), options.use_load_thread ? "on" : "off");
  }
}

Json simulation_json(const SimulationResult& result, const SimulationOptions& options, Count scalar_bytes) {
  const SimulationTotals totals = totals_of(result);
  // A platform file has its own.
  const auto of_switch = [&options](double value) { return options.machine.platform_file.empty() ? Json(value) : Json(); };
  const auto in_entries = [scalar_bytes](double bytes) { return entries(bytes, scalar_bytes); };
  const auto per_rank = [&result](auto value) { return json_list(result.ranks, value); };
  const auto of_engine = [&](auto value) {
    return per_rank([value](const SimulatedRankCounts& rank) { return rank.engine.*value; });
  };
  return {{"ranks", result.ranks.size()},
          {"load_exchange", to_string(options.load_exchange)},
          {"schedule", to_string(options.schedule)},
          {"work", to_string(options.sharing)},
          {"chunks", options.sharing == WorkSharing::pool ? Json(to_string(options.chunks)) : Json()},
          {"load_thread", options.use_load_thread},
          {"flops_per_second", options.costs.largest_rate},
          {"latency_seconds", of_switch(options.machine.latency_seconds)},
          {"bytes_per_second", of_switch(options.machine.bytes_per_second)},
          {"slow", slow_json(options.machine)},
          {"latency_of", latency_json(options.machine)},
          {"competing_load", competing_json(options.machine, result.competing_seconds)},
          {"predicted_seconds", result.seconds},
          {"busy_seconds_mean", totals.mean_busy_seconds},
          {"load_imbalance", totals.load_imbalance},
          {"peak_active_entries_max", in_entries(static_cast<double>(totals.peak_active_bytes))},
          {"peak_active_entries_mean", in_entries(totals.mean_peak_active_bytes)},
          {"peak_active_rank", totals.fullest_rank},
          {"peak_bytes_max", totals.peak_bytes},
          {"main_messages", totals.main.sent.messages},
          {"main_message_bytes", totals.main.sent.bytes},
          {"main_messages_by_type", by_type(main_kinds(totals.main), &MessageCounts::messages)},
          {"load_messages", totals.load_sent.total_messages()},
          {"load_message_bytes", totals.load_sent.total_bytes()},
          {"load_messages_by_type", by_type(load_kinds(totals.load_sent), &MessageCounts::messages)},
          {"dynamic_decisions", totals.engine.decisions},
          {"slaves_chosen", totals.engine.slaves_chosen},
          {"slave_refusals", totals.engine.refusals},
          {"tasks_taken", totals.engine.tasks_taken},
          {"request_rounds", totals.engine.rounds},
          {"empty_request_rounds", totals.engine.empty_rounds},
          {"snapshot_seconds", totals.snapshot_seconds},
          {"checkpoint", checkpoint_json(result, totals, options)},
          {"seconds_at_rest", result.ranks.front().seconds_at_rest},
          {"refused_drains", result.refused_drains},
          {"restarts", restarts_json(result)},
          {"bytes_read_per_rank", per_rank(&SimulatedRankCounts::num_bytes_read)},
          {"is_lost_per_rank", per_rank(&SimulatedRankCounts::is_lost)},
          {"parts_moved_per_rank", of_engine(&RankEngineCounts::parts_sent)},
          {"bytes_moved_per_rank", of_engine(&RankEngineCounts::bytes_sent)},
          {"has_left_per_rank", per_rank(&SimulatedRankCounts::has_left)},
          {"empty_at_seconds_per_rank", per_rank(&SimulatedRankCounts::empty_at_seconds)},
          {"busy_seconds_per_rank", per_rank(&SimulatedRankCounts::busy_seconds)},
          {"flops_per_rank", per_rank(&SimulatedRankCounts::flops_done)},
          {"peak_bytes_per_rank", per_rank(&SimulatedRankCounts::peak_bytes)},
          {"peak_active_entries_per_rank",
           per_rank([&](const SimulatedRankCounts& rank) { return in_entries(static_cast<double>(rank.peak_active_bytes)); })}};
}

}  // namespace frond
