// SPDX-License-Identifier: BSD-3-Clause
// Options of the load exchange that depend on the tree and its mapping.
#pragma once

#include "factorization/scheduling/task_graph.hpp"
#include "loadinfo/mechanisms/mechanism.hpp"

namespace frond {

/// Returns the threshold for the tasks of the graph, and for local increments the watchers by the mapping and a finer threshold:
/// messages to a few ranks are cheap.
[[nodiscard]] LoadExchangeOptions exchange_options(LoadMechanism mechanism, const TaskGraph& graph, const Mapping& mapping);

}  // namespace frond
