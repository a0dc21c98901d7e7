// SPDX-License-Identifier: BSD-3-Clause
// Options by which small systems are spread over all ranks.
#pragma once

#include "loadinfo/mpi/communicator.hpp"
#include "solver/mpi/options.hpp"

namespace frond::testing {

/// Node by node: hardly any subtree stays together.
[[nodiscard]] inline DistributedOptions spread_by_nodes() {
  DistributedOptions options;
  options.solver.analysis.mapping.layer.upper_node_seconds = 0;
  options.solver.analysis.mapping.layer.tolerance = 0.01;
  return options;
}

/// And in rows where that can be, on one thread for each rank.
[[nodiscard]] inline DistributedOptions spread() {
  DistributedOptions options = spread_by_nodes();
  options.solver.analysis.mapping.rows = {.min_slave_rows = 1, .min_front_flops = 0};
  options.solver.factorization.num_threads = 1;
  return options;
}

/// And the root is put on a grid of two.
[[nodiscard]] inline DistributedOptions with_grid(DistributedOptions options, const Communicator& ranks) {
  GridOptions& grid = options.solver.analysis.mapping.grid;
  grid.order_per_side = 1;
  grid.block_size = 8;
  if (ranks.num_ranks() > 1) {
    grid.ranks = {0, 1};
  }
  return options;
}

[[nodiscard]] inline DistributedOptions spread_with_grid(const Communicator& ranks) { return with_grid(spread(), ranks); }

}  // namespace frond::testing
