// SPDX-License-Identifier: BSD-3-Clause
// What the parts of a rank's engine share: its options, and the data and services of the rank.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "factorization/distributed/front_parts.hpp"
#include "factorization/distributed/slave_selection.hpp"
#include "factorization/recovery/move_file.hpp"
#include "factorization/recovery/recovery_plan.hpp"
#include "factorization/scheduling/engine.hpp"
#include "loadinfo/load_service.hpp"

namespace frond {

struct RankEngineOptions {
  EngineOptions tasks;
  SelectionOptions selection;
  Count planned_peak_bytes = 0;        ///< of the active memory of this rank's own tasks, one after the other
  Count piece_bytes = Count{1} << 20;  ///< of a stream, per message, a multiple of 16: large enough for bandwidth, small enough to
                                       ///< let others pass
  Count relayed_bytes = Count{1} << 20;      ///< of a panel times the number of receivers: above this, slaves relay a panel for all
                                             ///< slaves of a front to one another
  WorkSharing sharing = WorkSharing::fixed;  ///< the tasks of the graph may move, unless it is fixed
  std::uint32_t sharing_seed = 1;            ///< of WorkSharing::random
  /// Shares of fronts, and of tasks that others request, are larger for ranks that were measured to be fast.
  bool follows_paces = false;
  ChunkKind chunks = ChunkKind::fac;   ///< of WorkSharing::pool
  std::function<double()> clock = {};  ///< returns seconds for adaptive rules; empty: they do not adapt
  /// Called with each choice of slaves before these are asked: for drivers that know all ranks and measure the error of views.
  std::function<void(const LoadExchange& exchange, std::span<const Assignment> chosen)> watch_decision = {};
};

/// What ranks need to be able to leave: either all of it is set, or nothing.
struct RankRecovery {
  PlanInForce* plan = nullptr;
  MovableFronts* fronts = nullptr;
  MoveFiles* files = nullptr;
};

/// The data and services of a rank, which outlive its engine. A new plan changes what `graph` and `mapping` refer to.
struct RankContext {
  const AssemblyTree& tree;
  Method method;
  Count scalar_bytes;
  const TaskGraph& graph;
  const Mapping& mapping;
  PartNumerics& numerics;
  FrontParts& parts;
  Channel& channel;
  LoadService& loads;
  RankRecovery recovery = {};
  FinishedNodes finished = {};  ///< used to make the graph

  [[nodiscard]] Rank me() const { return channel.rank(); }
  /// The shape of a planned front, of which slaves take rows.
  [[nodiscard]] SharedFront shared_front(const FrontPlan& plan) const {
    const FrontSize size = front_size(tree, graph, plan);
    return {size.order, size.num_fully_summed, method, scalar_bytes};
  }
};

}  // namespace frond
