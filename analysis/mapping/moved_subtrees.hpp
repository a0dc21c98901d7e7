// SPDX-License-Identifier: BSD-3-Clause
// Mappings after parts of leaf subtrees have gone to other ranks.
#pragma once

#include <vector>

#include "analysis/mapping/mapping.hpp"

namespace frond {

/// Returns the mapping in which each of `moved` is on its rank: [node_begin, node_end) are whole subtrees of the tree, next to each
/// other, inside one or several leaf subtrees of the mapping. In a leaf subtree, the nodes above moved ones become upper nodes of
/// type 1, whose only candidate is the rank that it had; the rest stays in leaf subtrees of that rank.
[[nodiscard]] Mapping with_moved(const AssemblyTree& tree, const Mapping& mapping, const std::vector<Subtree>& moved);

/// Returns the subtrees that each rank has taken, given [rank] = begins and ends.
[[nodiscard]] std::vector<Subtree> moved_subtrees(const std::vector<std::vector<NodeId>>& taken);

}  // namespace frond
