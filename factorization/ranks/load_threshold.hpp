// SPDX-License-Identifier: BSD-3-Clause
// Chooses the change of load from which on a rank reports it to the others.
#pragma once

#include "factorization/scheduling/task_graph.hpp"
#include "loadinfo/mechanisms/mechanism.hpp"

namespace frond {

/// Returns the default_threshold() for the tasks of the graph: their flops, and the contribution blocks that they leave.
[[nodiscard]] Load load_threshold(const TaskGraph& graph, double small_share = kSmallTaskShare);

}  // namespace frond
