// SPDX-License-Identifier: BSD-3-Clause
// Queries over the parts of finished fronts, real or ghosts, that a rank keeps.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "factorization/distributed/front_plan.hpp"
#include "factorization/scheduling/front_part.hpp"

namespace frond {

/// Returns the bytes of the contribution rows, rows_of(part), of those slaves' parts that hold some. Parts is a map by FrontPart.
template <class Parts, class RowsOf>
[[nodiscard]] std::map<FrontPart, Count> held_rows_in(const Parts& parts, RowsOf rows_of) {
  std::map<FrontPart, Count> held;
  for (const auto& [id, part] : parts) {
    if (const Count bytes = id.role == PartRole::slave ? rows_of(id) : 0; bytes > 0) {
      held[id] = bytes;
    }
  }
  return held;
}

/// Returns `shared`, the fronts that no task knows any more, together with the row-distributed fronts whose master's parts these
/// are, each with the shares of its rows. Each part has the plan of its front.
template <class Parts>
[[nodiscard]] std::map<NodeId, std::vector<RowShare>> shared_fronts_in(const Parts& parts, const TaskGraph& graph,
                                                                       std::map<NodeId, std::vector<RowShare>> shared) {
  for (const auto& [id, part] : parts) {
    if (id.role == PartRole::master && !part.plan.shares.empty()) {
      shared[graph.task(id.task).node_begin] = part.plan.shares;
    }
  }
  return shared;
}

/// Returns the plan of a front whose children were all finished beforehand, and nothing for other fronts. No other rank needs this
/// plan, so it is made when the front begins. announce(child) returns what a child has to send.
template <class Announce>
[[nodiscard]] std::optional<FrontPlan> plan_of_stored_children(const TaskGraph& graph, TaskId task, Announce announce) {
  if (!graph.has_stored_children_alone(task)) {
    return std::nullopt;
  }
  FrontPlan plan{task, graph.task(task).rank, {}, {}};
  for (const TaskId child : graph.children(task)) {
    plan.children.push_back({child, graph.task(child).rank, announce(child)});
  }
  return plan;
}

}  // namespace frond
