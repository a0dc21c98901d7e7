// SPDX-License-Identifier: BSD-3-Clause
// Options of the load exchange that depend on the tree and its mapping.
#pragma once

#include "factorization/scheduling/task_graph.hpp"
#include "loadinfo/mechanisms/mechanism.hpp"

namespace frond {

/// Returns the change of load from which on a rank reports it: the default_threshold() for the tasks of the graph, their flops, and
/// the contribution blocks that they leave.
[[nodiscard]] Load load_threshold(const TaskGraph& graph, double small_share = kSmallTaskShare);

/// Returns which ranks may choose which as slaves: the masters of row-distributed fronts watch the candidates of these.
[[nodiscard]] LoadWatchers load_watchers(const Mapping& mapping);

/// Returns the threshold for the tasks of the graph, and for local increments the watchers by the mapping and a finer threshold:
/// messages to a few ranks are cheap.
[[nodiscard]] LoadExchangeOptions exchange_options(LoadMechanism mechanism, const TaskGraph& graph, const Mapping& mapping);

}  // namespace frond
