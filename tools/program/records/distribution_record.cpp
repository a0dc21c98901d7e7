// SPDX-License-Identifier: BSD-3-Clause
// Formats facts about a run of several processes.
#include "tools/program/records/distribution_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "factorization/ranks/main_message.hpp"
#include "solver/options/byte_size.hpp"
#include "tools/program/records/json_list.hpp"

namespace frond {
namespace {

using Json = nlohmann::ordered_json;

RankRunCounts total_of(const std::vector<RankRunCounts>& counts) {
  RankRunCounts total;
  for (const RankRunCounts& of_rank : counts) {
    total += of_rank;
  }
  return total;
}

// Returns the kinds that were sent: "front 5 (1.2 MB), rows 12 (3.4 MB)".
std::string list(const MessageKinds& kinds) {
  std::string text;
  for (const auto& [name, counts] : kinds) {
    if (counts.messages > 0) {
      text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ", name, counts.messages, format_byte_size(counts.bytes));
    }
  }
  return text.empty() ? "none" : text;
}

// Returns totals and values of each rank for the messages that kinds(counts of a rank) covers.
template <class KindsOf>
Json all_by_type(const DistributionFacts& facts, const std::string& messages, const KindsOf& kinds) {
  const MessageKinds totals = kinds(total_of(facts.counts));
  Json of_ranks[2];
  for (const RankRunCounts& of_rank : facts.counts) {
    for (const auto& [name, counts] : kinds(of_rank)) {
      of_ranks[0][name].push_back(counts.messages);
      of_ranks[1][name].push_back(counts.bytes);
    }
  }
  return {{messages + "s_by_type", by_type(totals, &MessageCounts::messages)},
          {messages + "_bytes_by_type", by_type(totals, &MessageCounts::bytes)},
          {messages + "s_by_type_per_rank", of_ranks[0]},
          {messages + "_bytes_by_type_per_rank", of_ranks[1]}};
}

}  // namespace

MessageKinds main_kinds(const TrafficCounts& counts) {
  MessageKinds kinds;
  for (std::size_t kind = 0; kind < kNumMainMessageKinds; ++kind) {
    kinds.emplace_back(main_message_name(kind), counts.sent_by_kind[kind]);
  }
  return kinds;
}

MessageKinds load_kinds(const LoadMessageCounts& counts) {
  MessageKinds kinds;
  for (std::size_t kind = 0; kind < kNumLoadMessageKinds; ++kind) {
    kinds.emplace_back(to_string(static_cast<LoadMessageKind>(kind)), MessageCounts{counts.messages[kind], counts.bytes[kind]});
  }
  return kinds;
}

Json by_type(const MessageKinds& kinds, Count MessageCounts::*count) {
  Json types = Json::object();
  for (const auto& [name, counts] : kinds) {
    types[name] = counts.*count;
  }
  return types;
}

void print_taken(std::FILE* stream, const RankEngineCounts& counts, std::string_view work) {
  if (work != "static") {
    fmt::print(stream, "taken          {} tasks, in {} rounds of requests ({}), {} of them in vain\n", counts.tasks_taken,
               counts.rounds, work, counts.empty_rounds);
  }
}

void print_distribution(std::FILE* stream, const DistributionFacts& facts) {
  const RankRunCounts total = total_of(facts.counts);
  fmt::print(stream, "messages       {} of {}: {}\n", total.main.sent.messages, format_byte_size(total.main.sent.bytes),
             list(main_kinds(total.main)));
  fmt::print(stream, "about loads    {} of {} ({}): {}\n", total.load_sent.total_messages(),
             format_byte_size(total.load_sent.total_bytes()), facts.load_exchange, list(load_kinds(total.load_sent)));
  fmt::print(stream, "decisions      {}, slaves chosen: {}, refused: {}; blocked in snapshots for {:.3f} s\n",
             total.engine.decisions, total.engine.slaves_chosen, total.engine.refusals, total.snapshot_seconds);
  print_taken(stream, total.engine, facts.work);
  if (total.engine.records > 0) {
    fmt::print(stream, "left           {}: {} parts of finished fronts, {}, went to other ranks; at rest for {:.3f} s\n",
               fmt::join(ranks_that_left(facts.counts), ", "), total.engine.parts_sent, format_byte_size(total.engine.bytes_sent),
               total.seconds_at_rest);
    if (total.engine.parts_not_written > 0) {
      fmt::print(stream, "               {} of these parts went from memory to memory: the disk took no more\n",
                 total.engine.parts_not_written);
    }
  }
  double most_flops = 0;
  for (const RankRunCounts& counts : facts.counts) {
    most_flops = std::max(most_flops, counts.flops_done);
  }
  const double mean_flops = total.flops_done / static_cast<double>(facts.counts.size());
  fmt::print(stream, "balance        flops {:.2f} (largest to mean); active memory at the peak: {}\n",
             mean_flops > 0 ? most_flops / mean_flops : 1, format_byte_size(total.peak_active_bytes));
}

Json distribution_json(const DistributionFacts& facts) {
  const RankRunCounts total = total_of(facts.counts);
  Json json = mapping_json(facts.mapping);
  json.update({{"load_exchange", facts.load_exchange},
               {"schedule", facts.schedule},
               {"work", facts.work},
               {"load_thread", facts.has_load_thread},
               {"dynamic_decisions", total.engine.decisions},
               {"slaves_chosen", total.engine.slaves_chosen},
               {"slave_refusals", total.engine.refusals},
               {"tasks_taken", total.engine.tasks_taken},
               {"request_rounds", total.engine.rounds},
               {"empty_request_rounds", total.engine.empty_rounds},
               {"rounds_refused_for_memory", total.engine.refused_for_memory},
               {"records", total.engine.records},
               {"main_messages", total.main.sent.messages},
               {"main_message_bytes", total.main.sent.bytes},
               {"load_messages", total.load_sent.total_messages()},
               {"load_message_bytes", total.load_sent.total_bytes()},
               {"task_seconds", total.task_seconds > 0 ? Json(total.task_seconds) : Json()},  // not known for one process
               {"snapshot_seconds", total.snapshot_seconds},
               {"load_thread_cpu_seconds", total.load_thread_cpu_seconds}});
  json.update(all_by_type(facts, "main_message", [](const RankRunCounts& counts) { return main_kinds(counts.main); }));
  json.update(all_by_type(facts, "load_message", [](const RankRunCounts& counts) { return load_kinds(counts.load_sent); }));
  const auto per_rank = [&facts](auto value) { return json_list(facts.counts, value); };
  const auto of_engine = [&](auto value) { return per_rank([value](const RankRunCounts& rank) { return rank.engine.*value; }); };
  json.update({{"flops_assigned_per_rank", per_rank(&RankRunCounts::flops_assigned)},
               {"flops_done_per_rank", per_rank(&RankRunCounts::flops_done)},
               {"peak_active_bytes_per_rank", per_rank(&RankRunCounts::peak_active_bytes)},
               {"metered_peak_bytes_per_rank", per_rank(&RankRunCounts::peak_bytes)},
               {"peak_bytes_per_rank", facts.process_peak_bytes},
               {"main_messages_per_rank", per_rank([](const RankRunCounts& rank) { return rank.main.sent.messages; })},
               {"load_messages_per_rank", per_rank([](const RankRunCounts& rank) { return rank.load_sent.total_messages(); })},
               {"dynamic_decisions_per_rank", of_engine(&RankEngineCounts::decisions)},
               {"slaves_chosen_per_rank", of_engine(&RankEngineCounts::slaves_chosen)},
               {"tasks_taken_per_rank", of_engine(&RankEngineCounts::tasks_taken)},
               {"has_left_per_rank", per_rank(&RankRunCounts::has_left)},
               {"parts_moved_per_rank", of_engine(&RankEngineCounts::parts_sent)},
               {"bytes_moved_per_rank", of_engine(&RankEngineCounts::bytes_sent)},
               {"seconds_at_rest_per_rank", per_rank(&RankRunCounts::seconds_at_rest)},
               {"slave_refusals_per_rank", of_engine(&RankEngineCounts::refusals)},
               {"snapshot_seconds_per_rank", per_rank(&RankRunCounts::snapshot_seconds)}});
  return json;
}

}  // namespace frond
