// SPDX-License-Identifier: BSD-3-Clause
// Chooses and computes the order of elimination.
#pragma once

#include <span>

#include "analysis/graph/compress.hpp"
#include "analysis/ordering/elimination.hpp"
#include "frond/analysis_options.hpp"
#include "frond/matrix.hpp"

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
/// - a graph that is small, narrow or has few neighbours per vertex is ordered by AMD, any other by nested dissection alone;
/// - after AMD, nested dissection is tried too if it is expected to save more time in the factorizations to come than it takes;
/// - of two orderings, the one with fewer flops is taken.
/// The constants and their sources are in ordering.cpp. With `partners` (as of gather_pairs(); not for `natural` and `given`) the
/// graph of these pairs is ordered instead; the sums over columns are those of the variables. Throws UsageError if `given` is not a
/// permutation.
[[nodiscard]] OrderedGraph order_graph(const Graph& graph, const OrderingOptions& options, std::span<const Index> partners = {});

/// Sets the sums over columns to those of the variables, where members of a group differ in their neighbours, so that the
/// compressed graph fills in more.
void count_exactly(OrderedGraph& ordered, const Graph& variables);

/// Throws UsageError, which names it, unless `perm` is a permutation of 0..order-1.
void check_permutation(std::span<const Index> perm, Index order, const char* name);

}  // namespace frond
