// SPDX-License-Identifier: BSD-3-Clause
// Reports the predictions of a simulation as text and as JSON.
#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>

#include "tools/simulation/simulate.hpp"

namespace frond {

/// The figures of all ranks together.
struct SimulationTotals : SimulatedRankCounts {
  double mean_busy_seconds = 0;
  double load_imbalance = 0;  ///< busy seconds of the busiest rank over their mean; 0: no rank was busy
  Rank fullest_rank = 0;      ///< with the highest peak of active memory
  double mean_peak_active_bytes = 0;
};

/// The cost of a failure at the time of a list, each list being equally likely: seconds of the whole run, for what has to be
/// computed again.
struct FailureCost {
  double mean_seconds = 0;
  double most_seconds = 0;
};
[[nodiscard]] FailureCost failure_cost(const SimulationResult& result);

[[nodiscard]] SimulationTotals totals_of(const SimulationResult& result);

/// Prints lines for people.
void print_simulation(std::FILE* stream, const SimulationResult& result, const SimulationOptions& options, Count scalar_bytes);

[[nodiscard]] nlohmann::ordered_json simulation_json(const SimulationResult& result, const SimulationOptions& options,
                                                     Count scalar_bytes);

}  // namespace frond
