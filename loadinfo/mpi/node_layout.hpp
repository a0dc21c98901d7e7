// SPDX-License-Identifier: BSD-3-Clause
// Which ranks share a machine.
#pragma once

#include <vector>

#include "loadinfo/mpi/communicator.hpp"

namespace frond {

struct NodeLayout {
  Rank num_ranks_here = 1;              ///< on this rank's machine
  std::vector<Rank> one_rank_per_core;  ///< of each machine as many ranks as it has cores, increasing; the same on every rank
};

/// Collective. `num_cores`: that this process may use.
[[nodiscard]] NodeLayout find_node_layout(const Communicator& ranks, int num_cores);

}  // namespace frond
