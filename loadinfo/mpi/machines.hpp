// SPDX-License-Identifier: BSD-3-Clause
// Which processes share a machine, and how many cores it has.
#pragma once

#include <vector>

#include "loadinfo/mpi/communicator.hpp"

namespace frond {

struct Machines {
  std::vector<Index> of_rank;    ///< [r] = machine of rank r, numbered in the order of their first ranks
  std::vector<Index> num_cores;  ///< [m] = cores of machine m
};

/// Collective over the communicator. Machines are what has shared memory.
[[nodiscard]] Machines find_machines(const Communicator& communicator);

}  // namespace frond
