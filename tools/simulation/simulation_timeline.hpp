// SPDX-License-Identifier: BSD-3-Clause
// Writes the timeline of each rank and the tree of the work as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "factorization/scheduling/task_graph.hpp"
#include "tools/simulation/simulate.hpp"

namespace frond {

/// [rank] = its spans [begin_seconds, end_seconds, node, role] by time; role is subtree, sequential, master, slave or grid, and the
/// node of a subtree is its top. For results with recorded work.
[[nodiscard]] nlohmann::ordered_json timeline_json(const SimulationResult& result, const TaskGraph& graph);

/// Returns the tops of leaf subtrees and all nodes above: node, parent (-1: none), kind (subtree, type1, type2 or type3), master,
/// order, fully_summed, flops (for a subtree: all of them).
[[nodiscard]] nlohmann::ordered_json tree_json(const AssemblyTree& tree, const TaskGraph& graph);

}  // namespace frond
