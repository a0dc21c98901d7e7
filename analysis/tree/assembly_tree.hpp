// SPDX-License-Identifier: BSD-3-Clause
// The assembly tree: one node per front, in the order in which one thread visits them.
#pragma once

#include <span>
#include <vector>

#include "analysis/graph/forest.hpp"
#include "frond/types.hpp"

namespace frond {

/// Number of a node of the assembly tree. Nodes are numbered in postorder: children before parents, subtrees contiguous, and
/// the children of a node in the order that keeps the peak of active memory lowest (Liu 1986).
using NodeId = Index;

inline constexpr NodeId kNoNode = -1;

// The front of a node, with p fully summed variables and order m:
//
//              p       m - p
//         ┌─────────┬─────────┐
//      p  │   F11   │   F12   │    rows variable_begin, ..., variable_begin + p - 1
//         ├─────────┼─────────┤
//   m - p │   F21   │   F22   │    rows cb_rows; F22 becomes the contribution block
//         └─────────┴─────────┘
//
// Delayed pivots of the children come before the p variables, so that every position above grows by their number.

/// The assembly tree, immutable once built. Variables are numbered as they are eliminated (the *new* numbers of the permutation),
/// so that the fully summed variables of a node are consecutive.
///
/// A node's front, before any pivot is delayed, has the rows
///     variable_begin(node), ..., variable_begin(node) + num_fully_summed(node) - 1,   cb_rows(node)[0], cb_rows(node)[1], ...
/// in this order; "position k of the front" below means the k-th of them.
///
///   node 2, fully summed {4, 5}, cb_rows {8, 11, 12}           front_order 5
///   its parent, fully summed {8, 9}, cb_rows {11, 12, 20}      relative_indices(2) = {0, 2, 3}
///
/// One root may hold the variables of a Schur complement: they are assembled like others and then stay. Nothing is delayed to it,
/// since they may not be pivots: the nodes below it are the roots of what is eliminated.
class AssemblyTree {
 public:
  AssemblyTree() = default;

  /// Builds the tree from its arrays; `parent`, `cb_offsets` (length N+1), `cb_rows` and `variable_offsets` (length N+1) as the
  /// accessors below describe them. Derives children and relative indices. Throws InternalError if they contradict each other.
  AssemblyTree(std::vector<NodeId> parent, std::vector<Index> variable_offsets, std::vector<Count> cb_offsets,
               std::vector<Index> cb_rows, NodeId schur_node = kNoNode);

  [[nodiscard]] Index num_nodes() const { return static_cast<Index>(parent_.size()); }
  [[nodiscard]] Index num_variables() const { return variable_offsets_.back(); }

  [[nodiscard]] NodeId parent(NodeId node) const { return parent_[node]; }                                 ///< kNoParent for a root
  [[nodiscard]] std::span<const NodeId> children(NodeId node) const { return forest_.children.of(node); }  ///< increasing
  [[nodiscard]] std::span<const NodeId> roots() const { return forest_.roots; }                            ///< increasing
  /// The subtree of `node` is [subtree_begin(node), node].
  [[nodiscard]] NodeId subtree_begin(NodeId node) const { return subtree_begin_[node]; }
  [[nodiscard]] Index depth(NodeId node) const { return depth_[node]; }  ///< 0 for a root

  /// The root whose variables stay; kNoNode: all are eliminated.
  [[nodiscard]] NodeId schur_node() const { return schur_node_; }
  /// True if variables that find no pivot in the node cannot be delayed any further.
  [[nodiscard]] bool must_eliminate_all(NodeId node) const { return parent_[node] == kNoParent || parent_[node] == schur_node_; }

  [[nodiscard]] Index variable_begin(NodeId node) const { return variable_offsets_[node]; }
  [[nodiscard]] Index num_fully_summed(NodeId node) const { return variable_offsets_[node + 1] - variable_offsets_[node]; }
  /// Number of fully summed variables that are eliminated, when none is delayed.
  [[nodiscard]] Index num_pivots(NodeId node) const { return node == schur_node_ ? 0 : num_fully_summed(node); }
  [[nodiscard]] Index cb_order(NodeId node) const { return static_cast<Index>(cb_offsets_[node + 1] - cb_offsets_[node]); }
  [[nodiscard]] Index front_order(NodeId node) const { return num_fully_summed(node) + cb_order(node); }
  [[nodiscard]] std::span<const Index> cb_rows(NodeId node) const;  ///< increasing new variable numbers
  /// Number of the last of cb_rows(node), which belong to the Schur complement.
  [[nodiscard]] Index num_schur_rows(NodeId node) const;
  /// [j] = position in the parent's front of cb_rows(node)[j]; empty for a root.
  [[nodiscard]] std::span<const Index> relative_indices(NodeId node) const;

  [[nodiscard]] Count memory_bytes() const;  ///< held by the arrays of this object

 private:
  void link_children();
  void compute_relative_indices();

  std::vector<NodeId> parent_;
  Forest forest_;
  std::vector<NodeId> subtree_begin_;
  std::vector<Index> depth_;
  std::vector<Index> variable_offsets_ = {0};
  std::vector<Count> cb_offsets_ = {0};
  std::vector<Index> cb_rows_;
  std::vector<Index> relative_indices_;  // same offsets as cb_rows_
  NodeId schur_node_ = kNoNode;
};

}  // namespace frond
