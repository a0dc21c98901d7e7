// SPDX-License-Identifier: BSD-3-Clause
// Selects the nodes of an assembly tree to draw and places them: roots on top, every node centred above its descendants.
#pragma once

#include <cstddef>
#include <vector>

#include "tools/program/page/picture.hpp"

namespace frond {

struct PlacedNode {
  TreeMark node;
  std::size_t parent = 0;        ///< position in the list of placed nodes; a root is its own
  std::size_t level = 0;         ///< 0 for roots
  std::size_t num_children = 0;  ///< children that are drawn
  std::size_t num_hidden = 0;    ///< children that are not drawn
  double radius = 0;
  double x = 0;
  double y = 0;
  double slot_width = 0;  ///< around x; the slots of a level do not overlap, and those of children are within their parent's
};

struct TreeLayout {
  std::vector<PlacedNode> nodes;  ///< level by level
  std::size_t num_hidden = 0;     ///< nodes of the tree that are not drawn, except those below tops of subtrees
  double height = 0;
};

/// Places the nodes of the upper levels in a drawing of this width, at most `most`; of the level that does not fit, those with the
/// most flops. Nodes below the top of a subtree are not drawn.
[[nodiscard]] TreeLayout lay_out_tree(const std::vector<TreeMark>& tree, std::size_t most, double width);

}  // namespace frond
