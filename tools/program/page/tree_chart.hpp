// SPDX-License-Identifier: BSD-3-Clause
// Draws the assembly tree: types of nodes, their masters, their work.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/program/page/picture.hpp"

namespace frond {

/// Returns one mark for each node, with a title; a leaf subtree is one triangle. Larger trees are cut off (lay_out_tree); a line
/// below the drawing says how much is missing. The tree must not be empty.
[[nodiscard]] std::string tree_chart(const std::vector<TreeMark>& tree);

/// Returns a section with this heading, the drawing, and what explains it.
[[nodiscard]] std::string tree_section(std::string_view heading, const std::vector<TreeMark>& tree);

/// Explains shapes and colours, with the number of nodes of each kind.
[[nodiscard]] std::string tree_legend(const std::vector<TreeMark>& tree);

}  // namespace frond
