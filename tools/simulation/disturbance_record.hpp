// SPDX-License-Identifier: BSD-3-Clause
// Reports how a simulated machine was disturbed, as text and as JSON.
#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>

#include "tools/simulation/simulate.hpp"

namespace frond {

/// Prints lines for people; nothing if there are no disturbances.
void print_disturbances(std::FILE* stream, const SimulatedMachine& machine, double competing_seconds);

[[nodiscard]] nlohmann::ordered_json slow_json(const SimulatedMachine& machine);
[[nodiscard]] nlohmann::ordered_json latency_json(const SimulatedMachine& machine);
/// Returns null if there is no competing load.
[[nodiscard]] nlohmann::ordered_json competing_json(const SimulatedMachine& machine, double competing_seconds);

}  // namespace frond
