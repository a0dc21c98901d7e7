// SPDX-License-Identifier: BSD-3-Clause
// Determines the nodes that a sweep visits, if it need not visit all.
#pragma once

#include <vector>

#include "analysis/tree/assembly_tree.hpp"
#include "solver/numerics/sweeps/solve_plan.hpp"

namespace frond {

/// The node whose front has the variable, a new number, among its own fully summed ones. O(log nodes).
[[nodiscard]] NodeId node_of(const AssemblyTree& tree, Index variable);

/// Marks the ancestors of the marked nodes (`marked[node]` not 0), too. O(nodes).
[[nodiscard]] std::vector<char> with_ancestors(const AssemblyTree& tree, std::vector<char> marked);

/// A set of nodes, each with all its ancestors: those where right-hand sides become nonzero in the forward sweep (Gilbert & Peierls
/// 1988; Gilbert & Liu 1993), or those that the backward sweep needs to reach the wanted unknowns (Amestoy, Duff, L'Excellent &
/// Rouet 2015, "Parallel computation of entries of A^-1").
class SweepNodes {
 public:
  SweepNodes() = default;  ///< all nodes

  /// The nodes whose `marked[node]` is not 0, and their ancestors.
  SweepNodes(const AssemblyTree& tree, const SolvePlan& plan, std::vector<char> marked);

  [[nodiscard]] bool has(NodeId node) const { return nodes_.empty() || nodes_[node] != 0; }
  [[nodiscard]] bool has_step(Index step) const { return nodes_.empty() || steps_[step] != 0; }

 private:
  std::vector<char> nodes_;  // [node]; empty: all
  std::vector<char> steps_;  // [step of the plan]: whether it has one of the nodes
};

}  // namespace frond
