// SPDX-License-Identifier: BSD-3-Clause
// Simulates a factorization over virtual ranks in virtual time, with fronts without entries.
#pragma once

#include <string_view>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "analysis/symbolic.hpp"
#include "loadinfo/mechanisms/mechanism.hpp"
#include "loadinfo/messages/counted_channel.hpp"

namespace frond::test {

struct GhostRun {
  LoadMechanism mechanism = LoadMechanism::increments;
  Count memory_limit = 0;  ///< of each rank; 0: none
};

struct GhostRunResult {
  std::vector<std::string> complaints;  ///< ranks that failed or did not end, with the reasons
  double seconds = 0;
  double flops = 0;                      ///< of all ranks
  std::vector<Count> peak_bytes;         // [rank]
  std::vector<Count> peak_active_bytes;  // [rank]
  Count bytes_left = 0;                  ///< of active memory, of all ranks
  TrafficCounts messages;                ///< on the main channel, of all ranks
  Count num_decisions = 0;
  Count num_slaves = 0;
  Count num_refusals = 0;
};

/// Returns the messages of the kind that main_message_name() spells as `name`, and their bytes.
[[nodiscard]] MessageCounts messages_named(const TrafficCounts& traffic, std::string_view name);

/// Every rank has one worker and runs its event loop whenever the worker is idle.
[[nodiscard]] GhostRunResult run_ghosts(const Symbolic& symbolic, Method method, Count scalar_bytes, const Mapping& mapping,
                                        const GhostRun& run);

}  // namespace frond::test
