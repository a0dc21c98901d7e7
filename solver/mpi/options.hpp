// SPDX-License-Identifier: BSD-3-Clause
// Everything a caller may choose about solving a linear system on several ranks.
#pragma once

#include <functional>
#include <string>

#include "factorization/distributed/slave_selection.hpp"
#include "frond/options.hpp"
#include "loadinfo/load_service.hpp"
#include "loadinfo/mpi/communicator.hpp"

namespace frond {

struct DistributedOptions {
  /// Rank 0's count, but for what each rank has for itself: factorization.num_threads (0: the cores of its machine divided among
  /// its ranks), factorization.memory_limit (of this rank; 0: a share of what its machine and its control groups have left, by what
  /// its ranks are predicted to need), memory, progress and stop_requested.
  /// analysis.mapping.num_ranks is set to the size of the communicator; an empty analysis.mapping.grid.ranks becomes as many ranks
  /// of each machine as it has cores; where MPI does not allow threads to call it, no root is put on a grid.
  SolverOptions solver{};
  LoadMechanism load_exchange = LoadMechanism::partial_snapshot;  ///< rank 0's counts
  Schedule schedule = Schedule::flops;                            ///< rank 0's counts
  Count largest_memory_limit = 0;                                 ///< of all ranks; a DistributedSystem finds it out itself
  LoadServiceOptions load_service{};  ///< of this rank; there is no load thread where MPI does not allow it
  double watchdog_seconds = 0;  ///< of this rank: tell what it waits for in a factorization or solve when idle that long; 0: never
  std::function<void(const std::string&)> tell_wait{};  ///< by which this rank tells it, on the calling thread
};

/// Collective: the options of rank 0 where they count for all.
[[nodiscard]] DistributedOptions shared_options(const Communicator& ranks, DistributedOptions mine);

}  // namespace frond
