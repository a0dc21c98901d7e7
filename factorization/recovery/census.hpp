// SPDX-License-Identifier: BSD-3-Clause
// Determines from which fronts a factorization can be resumed.
#pragma once

#include <vector>

#include "analysis/tree/assembly_tree.hpp"

namespace frond {

/// Returns the largest set of fronts from which a factorization can resume: [node] = 1. Each of them has its factor and all fronts
/// below it in the set, and its block, unless its parent is in the set, too. All other fronts must be executed. Both lists are by
/// node.
[[nodiscard]] std::vector<char> resumable_fronts(const AssemblyTree& tree, const std::vector<char>& has_factor,
                                                 const std::vector<char>& has_block);

}  // namespace frond
