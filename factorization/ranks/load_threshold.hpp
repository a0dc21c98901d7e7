// SPDX-License-Identifier: BSD-3-Clause
// From which variation on a rank tells the others of its load.
#pragma once

#include "factorization/scheduling/task_graph.hpp"
#include "loadinfo/mechanisms/mechanism.hpp"

namespace frond {

/// The default_threshold() for the tasks of the graph: their flops, and the contribution blocks that they leave.
[[nodiscard]] Load load_threshold(const TaskGraph& graph, double small_share = kSmallTaskShare);

}  // namespace frond
