// SPDX-License-Identifier: BSD-3-Clause
// Fundamental supernodes (Liu, Ng, Peyton 1993, "On finding supernodes for sparse matrix computations", SIAM J. Matrix Anal. Appl.
// 14).
#pragma once

#include <vector>

#include "analysis/ordering/elimination.hpp"

namespace frond {

inline constexpr Index kNoTwin = -1;

/// A partition of the vertices of an Elimination into ranges, and the tree of these ranges. Parents have higher numbers.
struct SupernodeTree {
  std::vector<Index> vertex_offsets;    ///< supernode s holds the vertices [vertex_offsets[s], vertex_offsets[s + 1])
  std::vector<Index> parent;            ///< kNoParent for a root
  std::vector<Index> num_fully_summed;  ///< variables of the supernode
  std::vector<Index> cb_order;          ///< rows of L below the supernode's triangle
  std::vector<Index> next_twin = {};    ///< of a leaf: a later one with the same parent and rows, or kNoTwin; empty: unknown
  bool keeps_last = false;              ///< the last supernode, a root, is that of the Elimination's kept vertices

  [[nodiscard]] Index num_supernodes() const { return static_cast<Index>(parent.size()); }
};

/// The fundamental supernodes: the longest ranges in which every vertex is the only child of the next one and has the same rows of
/// L as it, apart from itself. Twins are sought by a table of hashes, where lists of rows that collide hide a few of them.
[[nodiscard]] SupernodeTree fundamental_supernodes(const Elimination& elimination);

}  // namespace frond
