// SPDX-License-Identifier: BSD-3-Clause
// Forests given by parent arrays: children lists and postorders.
#pragma once

#include <span>
#include <vector>

#include "analysis/graph/groups.hpp"

namespace frond {

inline constexpr Index kNoParent = -1;  ///< the parent of a root

/// A forest whose parents have higher numbers than their children: parent[v] > v, or kNoParent for a root.
struct Forest {
  Groups children;  ///< of each node
  std::vector<Index> roots;

  [[nodiscard]] Index num_nodes() const { return static_cast<Index>(children.offsets.size()) - 1; }
};

/// Children lists and roots, all increasing.
[[nodiscard]] Forest make_forest(std::span<const Index> parent);

/// postorder[position] = node: children before parents, subtrees contiguous, siblings and roots in the order of the lists.
[[nodiscard]] std::vector<Index> postorder(const Forest& forest);

}  // namespace frond
