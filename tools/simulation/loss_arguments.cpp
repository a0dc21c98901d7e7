// SPDX-License-Identifier: BSD-3-Clause
// Parses and checks ranks and moments.
#include "tools/simulation/loss_arguments.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <set>

#include "frond/error.hpp"
#include "tools/simulation/disturbance_arguments.hpp"

namespace frond {

std::multimap<double, Rank> parse_moments(const std::string& option, const std::vector<std::string>& texts) {
  std::multimap<double, Rank> moments;
  for (const std::string& text : texts) {
    Rank rank = 0;
    double seconds = 0;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%d@%lf%c", &rank, &seconds, &rest) != 2 || rank < 0 || !(seconds >= 0)) {
      throw UsageError(fmt::format("{} {}: RANK@SECONDS is expected, such as 3@1.5 for rank 3 after 1.5 s", option, text));
    }
    moments.emplace(seconds, rank);
  }
  return moments;
}

void check_moments(const std::string& option, const std::vector<std::string>& texts, const std::vector<Rank>& all_num_ranks) {
  for (const auto& [seconds, rank] : parse_moments(option, texts)) {
    check_rank(fmt::format("{} {}@{}", option, rank, seconds), rank, all_num_ranks);
  }
}

void check_losses(const std::vector<std::string>& texts, const std::vector<Rank>& all_num_ranks) {
  check_moments("--lose", texts, all_num_ranks);
  std::set<Rank> lost;
  for (const auto& [seconds, rank] : parse_moments("--lose", texts)) {
    if (!lost.insert(rank).second) {
      throw UsageError(fmt::format("--lose {}@{}: it is lost already", rank, seconds));
    }
  }
  for (const Rank num_ranks : all_num_ranks) {
    if (!lost.empty() && static_cast<Rank>(lost.size()) >= num_ranks) {
      throw UsageError("--lose: at least one process has to live");
    }
  }
}

}  // namespace frond
