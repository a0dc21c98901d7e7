// SPDX-License-Identifier: BSD-3-Clause
// Defines options that spread small systems over all ranks.
#pragma once

#include "loadinfo/messages/ranks/communicator.hpp"
#include "solver/distributed/mpi/options.hpp"

namespace frond::testing {

/// Spreads node by node: hardly any subtree stays together.
[[nodiscard]] inline SolverOptions spread_by_nodes() {
  SolverOptions options;
  options.analysis.mapping.upper_node_seconds = 0;
  options.analysis.mapping.layer_tolerance = 0.01;
  return options;
}

/// Also distributes fronts by rows where possible, with one thread per rank.
[[nodiscard]] inline SolverOptions spread() {
  SolverOptions options = spread_by_nodes();
  options.analysis.mapping.min_slave_rows = 1;
  options.analysis.mapping.min_front_flops = 0;
  options.factorization.num_threads = 1;
  return options;
}

/// Also puts the root on a grid of two.
[[nodiscard]] inline SolverOptions with_grid(SolverOptions options, const Communicator& ranks) {
  MappingOptions& mapping = options.analysis.mapping;
  mapping.grid_order_per_side = 1;
  mapping.grid_block_size = 8;
  if (ranks.num_ranks() > 1) {
    mapping.grid_ranks = {0, 1};
  }
  return options;
}

[[nodiscard]] inline SolverOptions spread_with_grid(const Communicator& ranks) { return with_grid(spread(), ranks); }

}  // namespace frond::testing
