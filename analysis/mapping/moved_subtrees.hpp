// SPDX-License-Identifier: BSD-3-Clause
// Mappings after parts of leaf subtrees have gone to other ranks.
#pragma once

#include <vector>

#include "analysis/mapping/mapping.hpp"

namespace frond {

/// The mapping in which each of `moved` is where it says: [node_begin, node_end) are whole subtrees of the tree, next to each
/// other, inside one or several leaf subtrees of the mapping. Of a leaf subtree the nodes above what has moved become upper nodes
/// of type 1, whose only candidate is the rank that it had; what is beside stays in leaf subtrees of that rank.
[[nodiscard]] Mapping with_moved(const AssemblyTree& tree, const Mapping& mapping, const std::vector<Subtree>& moved);

/// What each rank has taken, [rank] = begins and ends.
[[nodiscard]] std::vector<Subtree> moved_subtrees(const std::vector<std::vector<NodeId>>& taken);

}  // namespace frond
