// SPDX-License-Identifier: BSD-3-Clause
// Builds the assembly tree from fronts with sizes: the final numbers of the variables and the rows of every contribution block.
#pragma once

#include <vector>

#include "analysis/graph/forest.hpp"
#include "analysis/ordering/elimination.hpp"
#include "analysis/tree/amalgamate.hpp"
#include "analysis/tree/assembly_tree.hpp"
#include "analysis/tree/supernodes.hpp"

namespace frond {

/// The assembly tree and the order of the vertices that it implies.
struct NumberedTree {
  AssemblyTree tree;
  std::vector<Index> vertex_perm;  ///< vertex_perm[place in the final order] = vertex of the Elimination
};

/// Numbers the fronts in the postorder of `forest` and the vertices front by front, and computes the contribution blocks' rows,
/// which come out increasing. O(edges + total length of the row lists).
[[nodiscard]] NumberedTree build_assembly_tree(const Elimination& elimination, const SupernodeTree& supernodes,
                                               const FrontTree& fronts, const Forest& forest);

}  // namespace frond
