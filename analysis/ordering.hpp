// SPDX-License-Identifier: BSD-3-Clause
// Choosing and computing the order of elimination.
#pragma once

#include "analysis/compress.hpp"
#include "analysis/elimination.hpp"
#include "analysis/options.hpp"

namespace frond {

/// A graph in the order in which it will be eliminated.
struct OrderedGraph {
  OrderingKind kind = OrderingKind::natural;  ///< never `automatic`
  CompressedGraph compressed;                 ///< its graph is the one that was ordered
  Elimination elimination;                    ///< of that graph
  double ordering_seconds = 0;                ///< in the ordering libraries alone
};

/// Orders the graph of a matrix (weights 1, neighbours increasing) as `options` ask. `automatic` never looks at a clock:
/// - AMD is tried when the graph is small or has few neighbours per vertex, METIS otherwise;
/// - where AMD was tried, METIS is tried too if the graph is small, or if the time that a better ordering is expected to save in
/// one
///   factorization exceeds the time that METIS is expected to take;
/// - of two, the one with fewer flops is taken.
/// The constants and their sources are in ordering.cpp. Throws UsageError if `given` is no permutation.
[[nodiscard]] OrderedGraph order_graph(const Graph& graph, const OrderingOptions& options);

}  // namespace frond
