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

/// Rekeys the parts of finished fronts by the tasks of `next`, as long as parents need their rows, and gives them the new shares of
/// their rows. Calls settle(part) for each, and end(role, node, part) for those on a grid and slaves' parts that no task knows any
/// more. Adds the shares of such fronts whose master this rank is to `finished_shares`.
template <class Parts, class Settle, class End>
void renumber_parts(const TaskGraph& now, const TaskGraph& next, const std::map<NodeId, std::vector<RowShare>>& new_shares,
                    Parts& parts, std::map<NodeId, std::vector<RowShare>>& finished_shares, Settle settle, End end) {
  Parts kept;
  for (auto& [id, part] : parts) {
    const NodeId node = now.task(id.task).node_begin;
    const TaskId task = next.task_of_front(node);
    settle(part);
    part.plan.children.clear();
    part.plan.task = task;
    part.plan.master = task == kNoTask ? part.plan.master : next.task(task).rank;
    if (const auto shares = new_shares.find(node); shares != new_shares.end()) {
      part.plan.shares = shares->second;
    }
    if (id.role == PartRole::grid || (task == kNoTask && id.role == PartRole::slave)) {
      end(id.role, node, part);
    } else if (task != kNoTask && (id.role == PartRole::slave || !part.plan.shares.empty())) {
      kept.emplace(FrontPart{task, id.role}, std::move(part));
    } else if (!part.plan.shares.empty()) {
      finished_shares[node] = part.plan.shares;
    }
  }
  parts = std::move(kept);
  for (const auto& [node, shares] : new_shares) {
    if (const auto known = finished_shares.find(node); known != finished_shares.end()) {
      known->second = shares;
    }
  }
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
