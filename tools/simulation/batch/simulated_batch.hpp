// SPDX-License-Identifier: BSD-3-Clause
// A batch over many processes in virtual time: the desks that ship, which deal out systems that take given seconds.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "frond/load_options.hpp"
#include "tools/simulation/batch/simulated_worker.hpp"
#include "tools/simulation/simulate.hpp"

namespace frond {

struct SimulatedBatch {
  std::vector<double> seconds;  ///< [system], on a core that is not slow
  Rank num_ranks = 16;          ///< with a worker each; the first one deals out
  ChunkKind chunks = ChunkKind::ss;
  bool reissues = true;
  SimulatedMachine machine;
  std::multimap<double, Rank> losses = {};  ///< ranks that are lost, by the seconds at which they are; not the first
};

struct SimulatedBatchResult {
  std::optional<double> seconds;  ///< until the first rank had the last result; none: it never came
  Count num_systems_done = 0;
  Count num_copies = 0;  ///< that were given, of what others had not finished
  MessageCounts messages;
  double competing_seconds = 0;      ///< mean length of intervals with competing load; 0: there is none
  std::vector<SimulatedWork> ranks;  ///< [rank]
  std::vector<char> is_lost;         ///< [rank]
};

/// So many seconds, with this mean and standard deviation in the limit: all alike without deviation, else drawn from a lognormal
/// distribution, the same ones on every machine.
[[nodiscard]] std::vector<double> draw_seconds(Count num_systems, double mean, double deviation, std::uint64_t seed);

/// Simulates once in a process: SimGrid has one engine in each. The same batch gives the same result. Throws InputError for a
/// platform file that cannot be used.
[[nodiscard]] SimulatedBatchResult simulate_batch(const SimulatedBatch& batch);

}  // namespace frond
