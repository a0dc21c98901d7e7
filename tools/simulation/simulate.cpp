// SPDX-License-Identifier: BSD-3-Clause
// Sets up the platform and its actors, and collects the results.
#include "tools/simulation/simulate.hpp"

#include <algorithm>
#include <memory>
#include <simgrid/s4u.hpp>
#include <vector>

#include "analysis/tree/front_cost.hpp"
#include "frond/error.hpp"
#include "tools/simulation/simulated_attempts.hpp"
#include "tools/simulation/simulated_platform.hpp"

namespace frond {
namespace {

namespace sg = simgrid::s4u;

void check_end(const std::vector<std::unique_ptr<SimulatedRank>>& ranks) {
  Count missing_bytes = 0;
  bool have_ended = true;
  for (const auto& rank : ranks) {
    if (rank->engine().failure()) {
      throw_failure(*rank->engine().failure());
    }
    missing_bytes = std::max(missing_bytes, rank->engine().missing_bytes());
    have_ended = have_ended && rank->engine().ended();
  }
  if (!have_ended && missing_bytes > 0) {
    throw MemoryError("the memory limit does not suffice: " + std::to_string(missing_bytes) + " bytes more are needed on a rank",
                      missing_bytes, 0);
  }
  if (!have_ended) {
    throw InternalError("simulated ranks wait for one another");
  }
}

}  // namespace

SimulationResult simulate_factorization(const SimulatedSystem& system, const SimulationOptions& options) {
  const std::unique_ptr<sg::Engine> engine = make_simulation_engine();
  Ground ground(*engine, system, options);
  Attempts attempts(ground);
  engine->run();
  const Attempt& last = attempts.last();
  check_end(last.ranks());
  SimulationResult result;
  result.seconds = ground.seconds;
  for (NodeId node = 0; node < system.symbolic->tree().num_nodes(); ++node) {
    result.flops += front_cost(system.symbolic->tree(), node, system.method).flops;
  }
  result.lists = ground.lists;
  result.restarts = attempts.restarts();
  result.competing_seconds = ground.competing_seconds;
  result.refused_drains = last.at(0).refused_drains();
  result.ranks = attempts.counts();
  for (const auto& rank : last.ranks()) {
    result.computed_seconds = std::max(result.computed_seconds, rank->computed_seconds());
  }
  return result;
}

}  // namespace frond
