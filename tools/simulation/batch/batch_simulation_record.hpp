// SPDX-License-Identifier: BSD-3-Clause
// Reports the predictions of a batch simulation as text and as JSON.
#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>

#include "tools/simulation/batch/simulated_batch.hpp"

namespace frond {

/// Prints lines for people.
void print_batch_simulation(std::FILE* stream, const SimulatedBatchResult& result, const SimulatedBatch& batch);

[[nodiscard]] nlohmann::ordered_json batch_simulation_json(const SimulatedBatchResult& result, const SimulatedBatch& batch);

}  // namespace frond
