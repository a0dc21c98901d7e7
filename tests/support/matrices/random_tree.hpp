// SPDX-License-Identifier: BSD-3-Clause
// Generates random assembly trees with fronts large enough for the task graph to cut.
#pragma once

#include <cstdint>

#include "analysis/tree/assembly_tree.hpp"

namespace frond::test {

/// Returns a forest of `num_nodes` nodes with up to `max_summed` fully summed variables each, in a random postorder. Contribution
/// blocks are random parts of the parents' fronts. There is no matrix: the trees serve schedules and estimates.
[[nodiscard]] AssemblyTree random_tree(Index num_nodes, Index max_summed, std::uint64_t seed);

}  // namespace frond::test
