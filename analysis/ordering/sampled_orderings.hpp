// SPDX-License-Identifier: BSD-3-Clause
// Compares orderings on a small part of a graph.
#pragma once

#include "analysis/graph/graph.hpp"
#include "matrices/stop_request.hpp"

namespace frond {

/// The sums of squares of column counts, as in Elimination, of AMD's order and of nested dissection's.
struct SampledOrderings {
  double by_amd = 0;
  double by_dissection = 0;
};

/// Takes `num_vertices` around the vertex in the middle, breadth first, and continues in another component where one has fewer. The
/// search does not continue from dense vertices. The result does not depend on `num_threads`.
[[nodiscard]] SampledOrderings sample_orderings(const Graph& graph, Index num_vertices, int num_threads, Observer* observer);

}  // namespace frond
