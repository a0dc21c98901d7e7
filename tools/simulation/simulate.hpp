// SPDX-License-Identifier: BSD-3-Clause
// A factorization over many ranks in virtual time: the engine, the exchange of loads and the choice of slaves that ship, on fronts
// without entries and a network of SimGrid's (Casanova, Giersch, Legrand, Quinson, Suter 2014, "Versatile, scalable, and accurate
// simulation of distributed applications and platforms").
#pragma once

#include <string>
#include <vector>

#include "analysis/mapping.hpp"
#include "analysis/symbolic.hpp"
#include "factorization/slave_selection.hpp"
#include "loadinfo/counted_channel.hpp"
#include "loadinfo/mechanism.hpp"
#include "tools/simulation/cost_model.hpp"

namespace frond {

/// Hosts of one core each, joined by a switch: each sends and receives at this rate.
struct SimulatedNetwork {
  double latency_seconds = 5e-6;
  double bytes_per_second = 1e9;
};

struct SimulationOptions {
  LoadMechanism load_exchange = LoadMechanism::increments;
  Schedule schedule = Schedule::flops;
  bool use_load_thread = true;         ///< load messages are served while the rank computes
  double load_period_seconds = 50e-6;  ///< between two looks of the thread
  Count memory_limit = 0;              ///< bytes of each rank; 0: none
  CostModel costs;                     ///< of the method and the scalar type
  SimulatedNetwork network;
};

struct SimulatedRankCounts {
  double busy_seconds = 0;  ///< with jobs
  double flops = 0;
  Count peak_bytes = 0;         ///< factors and active memory
  Count peak_active_bytes = 0;  ///< contribution blocks, workspaces, rows that have come and are not assembled
  TrafficCounts main_messages;
  LoadMessageCounts load_messages;  ///< sent
  Count num_decisions = 0;
  Count num_slaves = 0;
  Count num_refusals = 0;
  double snapshot_seconds = 0;  ///< during which the exchange was blocked
};

struct SimulationResult {
  double seconds = 0;  ///< until the last rank has ended
  std::vector<SimulatedRankCounts> ranks;
};

/// Simulates once in a process: SimGrid has one engine in each. The same arguments give the same result. Throws MemoryError when
/// the limit does not suffice, and InternalError if ranks do not end.
[[nodiscard]] SimulationResult simulate_factorization(const Symbolic& symbolic, Method method, Count scalar_bytes, Count real_bytes,
                                                      const Mapping& mapping, const SimulationOptions& options);

}  // namespace frond
