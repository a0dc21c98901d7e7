// SPDX-License-Identifier: BSD-3-Clause
// Reports the joint work of several processes as text and as JSON.
#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "factorization/ranks/rank_report.hpp"
#include "frond/factorization_report.hpp"
#include "tools/program/records/mapping_record.hpp"

namespace frond {

struct DistributionFacts {
  MappingFacts mapping;
  std::string load_exchange = "none";  ///< "none" for one process
  std::string schedule = "none";
  std::string work = "static";
  bool has_load_thread = false;
  std::vector<RankRunCounts> counts;      ///< [rank]
  std::vector<Count> process_peak_bytes;  ///< [rank] = peak resident memory
};

/// Messages sent, by the names of their kinds.
using MessageKinds = std::vector<std::pair<std::string, MessageCounts>>;
[[nodiscard]] MessageKinds main_kinds(const TrafficCounts& counts);
[[nodiscard]] MessageKinds load_kinds(const LoadMessageCounts& counts);
[[nodiscard]] nlohmann::ordered_json by_type(const MessageKinds& kinds, Count MessageCounts::*count);

/// Prints how tasks were taken, unless work was static.
void print_taken(std::FILE* stream, const RankEngineCounts& counts, std::string_view work);

/// Prints lines for people: messages, decisions and balance.
void print_distribution(std::FILE* stream, const DistributionFacts& facts);

[[nodiscard]] nlohmann::ordered_json distribution_json(const DistributionFacts& facts);

}  // namespace frond
