// SPDX-License-Identifier: BSD-3-Clause
// Reports losses in words and in JSON.
#include "tools/program/records/survival_facts.hpp"
#include "matrices/counted.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace frond {
namespace {

std::string who_was_lost(const std::vector<Loss>& losses) {
  if (losses.empty()) {
    return "no process was lost";
  }
  std::vector<std::string> each;
  std::transform(losses.begin(), losses.end(), std::back_inserter(each), [](const Loss& loss) {
    return loss.phase.empty() ? std::to_string(loss.rank) : fmt::format("{} ({})", loss.rank, loss.phase);
  });
  return fmt::format("lost {} {}", each.size() == 1 ? "process" : "processes", fmt::join(each, ", "));
}

}  // namespace

void print_survival(std::FILE* stream, const SurvivalFacts& facts, Count num_fronts_found, Count num_fronts) {
  if (facts.protection.empty()) {
    return;
  }
  std::string again;
  if (facts.attempt > 0 && facts.protection == "recompute") {
    again = fmt::format("; all was done again{}", facts.attempt == 1 ? "" : fmt::format(", {} times", facts.attempt));
  } else if (facts.attempt > 0) {
    again = fmt::format("; {} of {} not done again", num_fronts_found, counted(num_fronts, "front"));
  }
  fmt::print(stream, "survival       {}: {}{}; records in {}\n", facts.protection, who_was_lost(facts.losses), again,
             facts.arbiter);
}

nlohmann::ordered_json survival_json(const SurvivalFacts& facts) {
  if (facts.protection.empty()) {
    return nullptr;
  }
  nlohmann::ordered_json losses = nlohmann::ordered_json::array();
  for (const Loss& loss : facts.losses) {
    losses.push_back({{"process", loss.rank}, {"attempt", loss.attempt}, {"phase", loss.phase}});
  }
  return {{"protection", facts.protection},
          {"arbiter", facts.arbiter},
          {"processes", facts.num_processes},
          {"attempts", facts.attempt + 1},
          {"losses", losses}};
}

}  // namespace frond
