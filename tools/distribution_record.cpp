// SPDX-License-Identifier: BSD-3-Clause
// Facts about a run of several processes.
#include "tools/distribution_record.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/byte_size.hpp"

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

// [value(counts of rank)]
template <class Value>
Json per_rank(const DistributionFacts& facts, Value value) {
  Json list = Json::array();
  for (const RankRunCounts& counts : facts.counts) {
    list.push_back(value(counts));
  }
  return list;
}

Json by_type(const LoadMessageCounts& counts) {
  Json types = Json::object();
  for (int kind = 0; kind < kNumLoadMessageKinds; ++kind) {
    const auto type = static_cast<LoadMessageKind>(kind);
    types[std::string(to_string(type))] = counts.num_messages(type);
  }
  return types;
}

}  // namespace

RankRunCounts counts_of_one_process(const FactorizationReport& report) {
  RankRunCounts counts;
  counts.flops_assigned = report.flops;
  counts.flops_done = report.flops;
  counts.peak_active_bytes = std::max<Count>(0, report.peak_bytes - report.factor_bytes);
  counts.peak_bytes = report.peak_bytes;
  return counts;
}

void print_distribution(std::FILE* stream, const DistributionFacts& facts) {
  const RankRunCounts total = total_of(facts.counts);
  fmt::print(stream, "messages       {} of {}; about loads ({}): {} of {}\n", total.main.messages_sent,
             format_byte_size(total.main.bytes_sent), facts.load_exchange, total.load_sent.total_messages(),
             format_byte_size(total.load_sent.total_bytes()));
  fmt::print(stream, "decisions      {}, slaves chosen: {}, refused: {}; blocked in snapshots for {:.3f} s\n", total.num_decisions,
             total.num_slaves, total.num_refusals, total.snapshot_seconds);
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
               {"load_thread", facts.has_load_thread},
               {"dynamic_decisions", total.num_decisions},
               {"slaves_chosen", total.num_slaves},
               {"slave_refusals", total.num_refusals},
               {"main_messages", total.main.messages_sent},
               {"main_message_bytes", total.main.bytes_sent},
               {"load_messages", total.load_sent.total_messages()},
               {"load_message_bytes", total.load_sent.total_bytes()},
               {"load_messages_by_type", by_type(total.load_sent)},
               {"snapshot_seconds", total.snapshot_seconds},
               {"load_thread_cpu_seconds", total.load_thread_cpu_seconds}});
  json.update({{"flops_assigned_per_rank", per_rank(facts, [](const auto& rank) { return rank.flops_assigned; })},
               {"flops_done_per_rank", per_rank(facts, [](const auto& rank) { return rank.flops_done; })},
               {"peak_active_bytes_per_rank", per_rank(facts, [](const auto& rank) { return rank.peak_active_bytes; })},
               {"metered_peak_bytes_per_rank", per_rank(facts, [](const auto& rank) { return rank.peak_bytes; })},
               {"peak_bytes_per_rank", facts.process_peak_bytes},
               {"main_messages_per_rank", per_rank(facts, [](const auto& rank) { return rank.main.messages_sent; })},
               {"load_messages_per_rank", per_rank(facts, [](const auto& rank) { return rank.load_sent.total_messages(); })},
               {"dynamic_decisions_per_rank", per_rank(facts, [](const auto& rank) { return rank.num_decisions; })},
               {"snapshot_seconds_per_rank", per_rank(facts, [](const auto& rank) { return rank.snapshot_seconds; })}});
  return json;
}

}  // namespace frond
