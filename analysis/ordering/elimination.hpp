// SPDX-License-Identifier: BSD-3-Clause
// Computes the effect of an ordering on a graph: elimination tree and column counts, and from them flops and entries of the factor.
#pragma once

#include <vector>

#include "analysis/graph/graph.hpp"

namespace frond {

/// A graph renumbered in a postorder of its elimination tree, with the counts of its factor.
///
/// The last `num_kept` vertices, each one variable, are not eliminated: they wait for a Schur complement. They count as a dense
/// triangle that is one path of the tree, below which hangs all that reaches any of them.
struct Elimination {
  std::vector<Index> perm;    ///< perm[new vertex] = vertex of the graph that was ordered
  Graph graph;                ///< in the new numbers
  std::vector<Index> parent;  ///< elimination tree in the new numbers, kNoParent for a root
  std::vector<Index> counts;  ///< entries of L in the column of each vertex's first variable, diagonal included
  Index num_kept = 0;
  double sum_counts = 0;   ///< over all columns of L (every variable, not only the first of a vertex), kept ones left out
  double sum_squares = 0;  ///< of the counts, over all columns of L: the flops of a Cholesky factorization
};

/// Eliminates the vertices in the order perm[new] = old, up to a postorder (which changes neither fill nor flops); the last
/// `num_kept` of perm stay, in their order.
[[nodiscard]] Elimination eliminate(const Graph& graph, std::vector<Index> perm, Index num_kept = 0);

/// Sums over `num_columns` columns of L whose counts are `first_count`, `first_count` - 1, ...
[[nodiscard]] double sum_of_counts(double first_count, double num_columns);
[[nodiscard]] double sum_of_squared_counts(double first_count, double num_columns);

}  // namespace frond
