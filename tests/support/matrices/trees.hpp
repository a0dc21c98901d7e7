// SPDX-License-Identifier: BSD-3-Clause
// Assembly trees for the tests of the mapping: of any shape, without a matrix.
#pragma once

#include <vector>

#include "analysis/tree/assembly_tree.hpp"
#include "frond/analysis_options.hpp"

namespace frond::test {

/// The tree with these parents (in postorder) and numbers of fully summed variables, in which every contribution block has all the
/// variables of all ancestors.
[[nodiscard]] AssemblyTree full_tree(const std::vector<NodeId>& parent, const std::vector<Index>& num_fully_summed,
                                     NodeId schur_node = kNoNode);

/// `num_leaves` nodes below one root; all with `num_fully_summed` variables.
[[nodiscard]] AssemblyTree star(Index num_leaves, Index num_fully_summed);

/// A path of nodes that share 2 rows each with the next, whatever is above it.
[[nodiscard]] AssemblyTree chain(Index num_nodes);

/// Thresholds so low that fronts of a few variables are distributed, split and put on grids.
[[nodiscard]] MappingOptions small_fronts(Rank num_ranks);

/// Random trees of all shapes, and those of model problems.
[[nodiscard]] std::vector<AssemblyTree> sample_of_trees();

}  // namespace frond::test
