// SPDX-License-Identifier: BSD-3-Clause
// How the triangular solves walk the assembly tree: what is done by one task, and where the contributions between nodes lie.
#pragma once

#include <span>
#include <vector>

#include "analysis/assembly_tree.hpp"

namespace frond {

/// Nodes [begin, end): all subtrees of some consecutive children of `parent` (of some roots, if kNoParent).
struct SubtreeRange {
  NodeId begin = 0;
  NodeId end = 0;
  NodeId parent = kNoParent;
};

/// A schedule that depends on the tree alone, so that neither results nor memory depend on the number of threads. Small subtrees
/// are bundled into ranges of similar work, each walked by one task; the nodes above them, the upper nodes, are visited one by one.
///
/// The contribution of a node, one value per cb row and right-hand side, lies at contribution_offset(node), counted in rows. Within
/// a range contributions are stacked, and the space of children is reused; upper nodes have space of their own.
class SolvePlan {
 public:
  SolvePlan() = default;
  explicit SolvePlan(const AssemblyTree& tree);

  [[nodiscard]] std::span<const SubtreeRange> ranges() const { return ranges_; }      ///< increasing
  [[nodiscard]] std::span<const NodeId> upper_nodes() const { return upper_nodes_; }  ///< increasing
  [[nodiscard]] Count contribution_offset(NodeId node) const { return contribution_offsets_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] Count num_contribution_rows() const { return num_contribution_rows_; }

 private:
  void split(const AssemblyTree& tree);
  void place_contributions(const AssemblyTree& tree);

  std::vector<SubtreeRange> ranges_;
  std::vector<NodeId> upper_nodes_;
  std::vector<Count> contribution_offsets_;
  Count num_contribution_rows_ = 0;
};

}  // namespace frond
