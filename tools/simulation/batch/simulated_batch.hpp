// SPDX-License-Identifier: BSD-3-Clause
// Simulates a batch over many processes in virtual time: the production task desks deal out systems with given run times.
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
  std::vector<double> seconds;  ///< [system], on an undisturbed core
  Rank num_ranks = 16;          ///< with one worker each; the first one deals out
  ChunkKind chunks = ChunkKind::ss;
  bool reissues = true;
  SimulatedMachine machine;
  std::multimap<double, Rank> losses = {};  ///< lost ranks by the seconds of their loss; not the first
};

struct SimulatedBatchResult {
  std::optional<double> seconds;  ///< until the first rank had the last result; none: it never arrived
  Count num_systems_done = 0;
  Count num_copies = 0;  ///< handed out, of tasks that others had not finished
  MessageCounts messages;
  double competing_seconds = 0;      ///< mean length of intervals with competing load; 0: there is no load
  std::vector<SimulatedWork> ranks;  ///< [rank]
  std::vector<char> is_lost;         ///< [rank]
};

/// Returns this number of run times with this mean and standard deviation in the limit: all equal if the deviation is 0, otherwise
/// drawn from a lognormal distribution, the same on every machine.
[[nodiscard]] std::vector<double> draw_seconds(Count num_systems, double mean, double deviation, std::uint64_t seed);

/// Call it once per process: SimGrid has one engine per process. The same batch gives the same result. Throws InputError for an
/// unusable platform file.
[[nodiscard]] SimulatedBatchResult simulate_batch(const SimulatedBatch& batch);

}  // namespace frond
