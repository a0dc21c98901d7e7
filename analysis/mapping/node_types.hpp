// SPDX-License-Identifier: BSD-3-Clause
// Determines on how many ranks a front is worth its messages.
#pragma once

#include "analysis/tree/assembly_tree.hpp"
#include "frond/analysis_options.hpp"

namespace frond {

/// How a front is laid out over ranks; the literature's type 1, 2 and 3.
enum class NodeType : std::uint8_t {
  sequential,       ///< on one rank
  row_distributed,  ///< fully summed rows on the master, blocks of the others on slaves chosen at run time
  grid_distributed  ///< in blocks on a two-dimensional grid of ranks: at most one, a root
};

struct GridShape {
  Rank num_rows = 0;
  Rank num_cols = 0;

  [[nodiscard]] Rank size() const { return num_rows * num_cols; }
};

/// Returns the largest number of slaves for which distributing rows of a front pays off; 0: it stays on one rank.
[[nodiscard]] Rank max_slaves(Index order, Index num_fully_summed, Method method, const MappingOptions& options);

/// Returns the grid for a root of that order on at most `num_ranks` ranks: near square (one side at most two longer than the
/// other), and no larger than pays off for the order.
[[nodiscard]] GridShape grid_shape(Index order, Rank num_ranks, const MappingOptions& options);

/// Returns the ranks that may be part of the grid. Throws UsageError when the option names an invalid rank, or one twice.
[[nodiscard]] std::vector<Rank> grid_ranks(const MappingOptions& options);

/// Returns the node that lies on a grid: the Schur complement, which is not factorized; if there is none, the largest root, if
/// Cholesky or LU factorizes it. kNoNode unless its grid has at least two ranks. Throws UsageError like grid_ranks().
[[nodiscard]] NodeId find_grid_root(const AssemblyTree& tree, Method method, const MappingOptions& options);

}  // namespace frond
