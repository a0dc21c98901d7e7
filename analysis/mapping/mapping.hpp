// SPDX-License-Identifier: BSD-3-Clause
// The mapping of the assembly tree to ranks: leaf subtrees with their ranks, and type, master and candidates of every node above
// them.
#pragma once

#include <span>
#include <vector>

#include "analysis/mapping/node_types.hpp"
#include "analysis/mapping/rank_range.hpp"
#include "analysis/tree/assembly_tree.hpp"
#include "frond/analysis_options.hpp"

namespace frond {

/// A leaf subtree [node_begin, node_end), done by one rank; its top is node_end - 1.
struct Subtree {
  NodeId node_begin = 0;
  NodeId node_end = 0;
  Rank rank = 0;
};

/// A node above the subtrees.
struct UpperNode {
  NodeId node = 0;
  NodeType type = NodeType::sequential;
  Rank master = 0;
  RankRange candidates;  ///< of types 1 and 2: the members among these; the master is one of them
};

/// The grid of the root of type 3. Rank (i, j) of the grid is ranks[i * shape.num_cols + j].
struct RootGrid {
  NodeId node = kNoNode;  ///< kNoNode: there is no grid
  GridShape shape;
  Index block_size = 0;
  std::vector<Rank> ranks;  ///< increasing
};

/// True if the grid holds a Schur complement, which is assembled there and not factorized.
[[nodiscard]] inline bool holds_schur_complement(const RootGrid& grid, const AssemblyTree& tree) {
  return grid.node != kNoNode && grid.node == tree.schur_node();
}

/// What a mapping says.
struct MappingParts {
  Rank num_ranks = 1;
  std::vector<Rank> members = {0};  ///< the ranks that take part, increasing
  NodeId num_nodes = 0;
  std::vector<Subtree> subtrees{};       ///< increasing
  std::vector<UpperNode> upper_nodes{};  ///< increasing
  RootGrid grid{};                       ///< its node is the one of type 3
};

/// The static part of the distribution over ranks; which candidates become slaves is decided at run time. Immutable.
///
///   every node is either in exactly one subtree or an upper node, and parents of upper nodes are upper nodes;
///   nodes in subtrees, and upper nodes of type 1, are done by their master alone;
///   type 2 has at least one candidate besides its master, unless all others have left since it was finished; type 3 is at most
///   one root;
///   the candidates of an upper node of type 1 or 2 are among those of its parent, unless the parent is the grid.
///
/// Ranks may be left out: they have no subtree and are neither masters nor candidates.
class Mapping {
 public:
  Mapping() = default;

  /// Throws InternalError if subtrees and upper nodes do not cover the nodes.
  explicit Mapping(MappingParts parts);
  /// All ranks take part.
  Mapping(Rank num_ranks, NodeId num_nodes, std::vector<Subtree> subtrees, std::vector<UpperNode> upper_nodes, RootGrid grid);

  [[nodiscard]] const MappingParts& parts() const { return parts_; }
  [[nodiscard]] Rank num_ranks() const { return parts_.num_ranks; }
  [[nodiscard]] std::span<const Rank> members() const { return parts_.members; }  ///< ranks that take part, increasing
  [[nodiscard]] NodeId num_nodes() const { return static_cast<NodeId>(place_.size()); }

  [[nodiscard]] bool is_in_subtree(NodeId node) const { return place_[node] < 0; }
  [[nodiscard]] const Subtree& subtree_of(NodeId node) const { return parts_.subtrees[~place_[node]]; }      ///< if it is in one
  [[nodiscard]] std::span<const Subtree> subtrees() const { return parts_.subtrees; }                        ///< increasing
  [[nodiscard]] std::span<const UpperNode> upper_nodes() const { return parts_.upper_nodes; }                ///< increasing
  [[nodiscard]] const UpperNode& upper_node(NodeId node) const { return parts_.upper_nodes[place_[node]]; }  ///< if it is one

  [[nodiscard]] NodeType type(NodeId node) const { return is_in_subtree(node) ? NodeType::sequential : upper_node(node).type; }
  [[nodiscard]] Rank master(NodeId node) const { return is_in_subtree(node) ? subtree_of(node).rank : upper_node(node).master; }
  /// Ranks that may hold a part of the node, the master included, increasing: one rank in a subtree, the grid's of the type 3 root.
  [[nodiscard]] std::span<const Rank> candidates(NodeId node) const;
  [[nodiscard]] const RootGrid& root_grid() const { return parts_.grid; }

  [[nodiscard]] Index num_nodes_of(NodeType type) const { return num_of_type_[static_cast<std::size_t>(type)]; }

 private:
  MappingParts parts_;
  std::vector<Index> place_;  // of a node: its number among the upper nodes, or ~k for the subtree k
  Index num_of_type_[3] = {};
};

/// Maps the tree, as returned by split_large_fronts() with the same options, to `options.num_ranks` ranks. Throws UsageError for
/// invalid numbers of ranks. The same arguments give the same mapping, for 2 ranks as for 4096; O(N log N + N log P).
///
/// Masters are chosen so that the memory of factors is balanced: nodes in decreasing order of their master's factor entries each
/// take the candidate with the least factor entries so far, and of several the one with the least work. The entries of slaves count
/// as equal parts of all candidates except the master.
[[nodiscard]] Mapping map_tree(const AssemblyTree& tree, Method method, const MappingOptions& options);

}  // namespace frond
