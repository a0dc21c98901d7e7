// SPDX-License-Identifier: BSD-3-Clause
// Runs the engine on ghosts, and computes a bound that holds for any timing.
#include "factorization/ghosts/memory_estimate.hpp"

#include <algorithm>
#include <vector>

#include "factorization/ghosts/ghost_numerics.hpp"
#include "factorization/memory/factor_storage.hpp"

namespace frond {
namespace {

struct GhostPeaks {
  Count arena_bytes;
  Count active_bytes;
};

GhostPeaks run_ghosts(const TaskGraph& graph, int num_workers, Index max_active, Count ahead_limit_bytes) {
  GhostNumerics numerics(graph, num_workers);
  Engine engine(graph, numerics, {.max_active = max_active, .ahead_limit_bytes = ahead_limit_bytes});
  numerics.run(engine);
  const Count workspaces = engine.active().peaks().num_subtrees * graph.max_workspace_bytes();
  return {engine.active().peaks().output_bytes, engine.active().peaks().output_bytes + workspaces};
}

// If a task has not started, its children's subtrees are independent of each other; if it has, all of them are done and hold their
// outputs.
Count worst_active_bytes(const TaskGraph& graph) {
  const auto num_tasks = static_cast<std::size_t>(graph.num_tasks());
  std::vector<Count> children_worst(num_tasks, 0);
  std::vector<Count> children_output(num_tasks, 0);
  Count roots_worst = 0;
  for (TaskId id = 0; id < graph.num_tasks(); ++id) {
    const Task& task = graph.task(id);
    const auto index = static_cast<std::size_t>(id);
    const Count worst = std::max(children_worst[index], children_output[index] + task.active_bytes());
    if (task.parent == kNoTask) {
      roots_worst += worst;
    } else {
      children_worst[task.parent] += worst;
      children_output[task.parent] += task.output_bytes;
    }
  }
  return roots_worst;
}

}  // namespace

MemoryEstimate estimate_memory(const AssemblyTree& tree, const TaskGraph& graph, Method method, Count scalar_bytes, int num_threads,
                               KeptFactors kept, Count ahead_limit_bytes) {
  MemoryEstimate estimate;
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    estimate.factor_bytes += front_bytes(tree.front_order(node), tree.num_fully_summed(node), method, scalar_bytes,
                                         kept_shape(tree, node, FrontShape::whole, method, kept));
  }
  estimate.sequential_bytes = run_ghosts(graph, 1, 1, -1).active_bytes;
  const GhostPeaks peaks = run_ghosts(graph, num_threads, num_threads, ahead_limit_bytes);
  estimate.arena_bytes = peaks.arena_bytes;
  estimate.active_bytes = peaks.active_bytes;
  estimate.upper_bound_bytes = estimate.factor_bytes + std::max(worst_active_bytes(graph), peaks.active_bytes);
  return estimate;
}

MemoryEstimate estimate_memory(const Symbolic& symbolic, Method method, Count scalar_bytes, int num_threads, KeptFactors kept) {
  return estimate_memory(symbolic.tree(), TaskGraph(symbolic.tree(), method, scalar_bytes, kept), method, scalar_bytes, num_threads,
                         kept);
}

}  // namespace frond
