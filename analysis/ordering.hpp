// SPDX-License-Identifier: BSD-3-Clause
// Choosing and computing the order of elimination.
#pragma once

#include <vector>

#include "analysis/compress.hpp"
#include "analysis/elimination.hpp"
#include "analysis/options.hpp"
#include "matrices/sparse_matrix.hpp"

namespace frond {

/// A graph in the order in which it will be eliminated.
struct OrderedGraph {
  OrderingKind kind = OrderingKind::natural;  ///< never `automatic`
  CompressedGraph compressed;                 ///< its graph is the one that was ordered
  Elimination elimination;                    ///< of that graph
  double ordering_seconds = 0;                ///< in the ordering alone
};

/// Orders the graph of a matrix (weights 1, neighbours increasing) as `options` ask. Nested dissection orders the compressed graph;
/// AMD orders the variables, whose groups are then gathered. `automatic` never looks at a clock:
/// - a graph without edges stays as it is;
/// - a graph that is small or has few neighbours per vertex is ordered by AMD, any other by nested dissection alone;
/// - after AMD, nested dissection is tried too if the graph is small, or if nested dissection is expected to save more time in the
/// factorizations
///   to come than it is expected to take;
/// - of two orderings, the one with fewer flops is taken.
/// The constants and their sources are in ordering.cpp. Throws UsageError if `given` is no permutation.
[[nodiscard]] OrderedGraph order_graph(const Graph& graph, const OrderingOptions& options);

/// The order of elimination alone, by variables: with it as `given` ordering several processes analyse the same pattern alike.
struct VariableOrder {
  OrderingKind kind = OrderingKind::natural;  ///< never `automatic`
  std::vector<Index> perm;                    ///< perm[new] = old
  Index num_compressed = 0;                   ///< variables of the compressed graph
  double ordering_seconds = 0;                ///< in the ordering alone
};

/// Throws like order_graph(), and UsageError for arrays that are no pattern.
[[nodiscard]] VariableOrder order_variables(const PatternView& pattern, const OrderingOptions& options);

}  // namespace frond
