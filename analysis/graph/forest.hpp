// SPDX-License-Identifier: BSD-3-Clause
// Forests given by parent arrays: children lists and postorders.
#pragma once

#include <span>
#include <vector>

#include "frond/types.hpp"

namespace frond {

inline constexpr Index kNoParent = -1;  ///< the parent of a root

/// A forest whose parents have higher numbers than their children: parent[v] > v, or kNoParent for a root.
struct Forest {
  std::vector<Index> child_offsets;  ///< length num_nodes() + 1
  std::vector<Index> children;       ///< of node v: [child_offsets[v], child_offsets[v + 1])
  std::vector<Index> roots;

  [[nodiscard]] Index num_nodes() const { return static_cast<Index>(child_offsets.size()) - 1; }
  [[nodiscard]] std::span<const Index> children_of(Index node) const {
    return {children.data() + child_offsets[node], children.data() + child_offsets[node + 1]};
  }
  [[nodiscard]] std::span<Index> children_of(Index node) {
    return {children.data() + child_offsets[node], children.data() + child_offsets[node + 1]};
  }
};

/// Children lists and roots, all increasing.
[[nodiscard]] Forest make_forest(std::span<const Index> parent);

/// postorder[position] = node: children before parents, subtrees contiguous, siblings and roots in the order of the lists.
[[nodiscard]] std::vector<Index> postorder(const Forest& forest);

}  // namespace frond
