// SPDX-License-Identifier: BSD-3-Clause
// The assembly tree: types of nodes, their masters, their work.
#pragma once

#include <string>
#include <vector>

#include "tools/program/page/picture.hpp"

namespace frond {

/// One mark for each node, with a title; a leaf subtree is one triangle. Larger trees are cut off (lay_out_tree); a line below the
/// drawing tells how much is missing. The tree is not empty.
[[nodiscard]] std::string tree_chart(const std::vector<TreeMark>& tree);

/// What shapes and colours mean, with the number of nodes of each kind.
[[nodiscard]] std::string tree_legend(const std::vector<TreeMark>& tree);

}  // namespace frond
