// SPDX-License-Identifier: BSD-3-Clause
// Reports slow cores, late messages, and competing programs.
#include "tools/simulation/disturbance_record.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "matrices/counted.hpp"

namespace frond {

using Json = nlohmann::ordered_json;

void print_disturbances(std::FILE* stream, const SimulatedMachine& machine, double competing_seconds) {
  if (!machine.slow_spells.empty()) {
    std::set<Rank> slowed;
    for (const SlowSpell& spell : machine.slow_spells) {
      slowed.insert(spell.rank);
    }
    fmt::print(stream, "slowed         {}, {}\n", counted(std::ssize(slowed), "rank"),
               counted(std::ssize(machine.slow_spells), "time"));
  }
  if (!machine.delays.empty()) {
    fmt::print(stream, "delayed        messages from and to {}\n", counted(std::ssize(machine.delays), "rank"));
  }
  if (const std::optional<CompetingLoad>& load = machine.competing_load) {
    fmt::print(stream, "competing      other programs, {:.3g} % of the time, for {:.3g} s on average (seed {})\n",
               100 * load->share, competing_seconds, load->seed);
  }
}

Json slow_json(const SimulatedMachine& machine) {
  Json spells = Json::array();
  for (const SlowSpell& spell : machine.slow_spells) {
    spells.push_back({{"rank", spell.rank},
                      {"factor", spell.factor},
                      {"from_seconds", spell.begin_seconds},
                      {"to_seconds", std::isinf(spell.end_seconds) ? Json() : Json(spell.end_seconds)}});
  }
  return spells;
}

Json latency_json(const SimulatedMachine& machine) {
  Json delays = Json::array();
  for (const auto& [rank, seconds] : machine.delays) {
    delays.push_back({{"rank", rank}, {"seconds", seconds}});
  }
  return delays;
}

Json competing_json(const SimulatedMachine& machine, double competing_seconds) {
  if (!machine.competing_load) {
    return nullptr;
  }
  return {{"seed", machine.competing_load->seed},
          {"share", machine.competing_load->share},
          {"factor", kCompetingFactor},
          {"mean_seconds", competing_seconds}};
}

}  // namespace frond
