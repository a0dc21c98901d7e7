// SPDX-License-Identifier: BSD-3-Clause
// Plans how the triangular solves traverse the assembly tree: the tasks, and where the contributions between nodes are stored.
#pragma once

#include <span>
#include <vector>

#include "analysis/tree/assembly_tree.hpp"
#include "factorization/scheduling/task_graph.hpp"

namespace frond {

inline constexpr Index kNoStep = -1;

/// The nodes [begin, end), visited by one task in their order (or the reverse): either all subtrees of some consecutive siblings,
/// or one node above them. The steps form a tree like the nodes they are made of.
struct SolveStep {
  NodeId begin = 0;
  NodeId end = 0;
  Index parent = kNoStep;
};

/// A schedule that depends on the tree alone, so that neither results nor memory depend on the number of threads.
///
/// In the forward solve a node leaves one value per cb row and right-hand side for its parent: its contribution, which is stored at
/// contribution_offset(node), counted in rows. Within a step contributions are stacked: a node's own overwrites its children's.
class SolvePlan {
 public:
  SolvePlan() = default;
  explicit SolvePlan(const AssemblyTree& tree);
  /// Uses the tasks of a factorization as steps, for a forward sweep during the factorization.
  SolvePlan(const AssemblyTree& tree, const TaskGraph& graph);

  [[nodiscard]] std::span<const SolveStep> steps() const { return steps_; }  ///< increasing, children before parents
  [[nodiscard]] std::span<const Index> children(Index step) const;           ///< of kNoStep: the roots
  [[nodiscard]] Count contribution_offset(NodeId node) const { return contribution_offsets_[node]; }
  [[nodiscard]] Count num_contribution_rows() const { return num_contribution_rows_; }

 private:
  void make_steps(const AssemblyTree& tree);
  void link_steps(const AssemblyTree& tree);
  void place_contributions(const AssemblyTree& tree);

  std::vector<SolveStep> steps_;
  std::vector<Index> children_;             // of kNoStep first, then of steps 0, 1, ...
  std::vector<std::size_t> child_offsets_;  // [s + 1] = where the children of step s begin
  std::vector<Count> contribution_offsets_;
  Count num_contribution_rows_ = 0;
};

}  // namespace frond
