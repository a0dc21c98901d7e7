// SPDX-License-Identifier: BSD-3-Clause
// Generates assembly trees of any shape, without a matrix, for the mapping tests.
#pragma once

#include <vector>

#include "analysis/tree/assembly_tree.hpp"
#include "frond/analysis_options.hpp"

namespace frond::test {

/// Returns the tree with these parents (in postorder) and numbers of fully summed variables, in which every contribution block
/// holds the variables of all ancestors.
[[nodiscard]] AssemblyTree full_tree(const std::vector<NodeId>& parent, const std::vector<Index>& num_fully_summed,
                                     NodeId schur_node = kNoNode);

/// `num_leaves` nodes below one root; all with `num_fully_summed` variables.
[[nodiscard]] AssemblyTree star(Index num_leaves, Index num_fully_summed);

/// A path of nodes that share 2 rows each with the next.
[[nodiscard]] AssemblyTree chain(Index num_nodes);

/// Returns thresholds so low that fronts of a few variables are distributed, split and put on grids.
[[nodiscard]] MappingOptions small_fronts(Rank num_ranks);

/// Returns random trees of all shapes and those of model problems.
[[nodiscard]] std::vector<AssemblyTree> sample_of_trees();

}  // namespace frond::test
