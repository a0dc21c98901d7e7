// SPDX-License-Identifier: BSD-3-Clause
// Finds which ranks share a machine and its processors.
#pragma once

#include <span>
#include <vector>

#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

struct NodeLayout {
  Rank num_sharing = 1;                 ///< ranks of this machine with the same processors as this one, itself included
  Rank index_sharing = 0;               ///< this rank's position among them
  std::vector<Rank> one_rank_per_core;  ///< of each machine as many ranks as they may use processors, increasing; the same on
                                        ///< every rank
};

/// Collective. `processors`: those that this rank may use (usable_processors()).
[[nodiscard]] NodeLayout find_node_layout(const Communicator& ranks, std::span<const int> processors);

}  // namespace frond
