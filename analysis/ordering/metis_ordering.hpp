// SPDX-License-Identifier: BSD-3-Clause
// Nested dissection by METIS (Karypis, Kumar 1998, "A fast and high quality multilevel scheme for partitioning irregular graphs",
// SIAM J. Sci. Comput. 20).
#pragma once

#include <vector>

#include "analysis/graph/graph.hpp"

namespace frond {

/// perm[new] = old vertex. Dense vertices (see dense_degree) come last, by increasing degree, and those without other neighbours
/// first; METIS orders the rest by weight-balanced nested dissection. One call at a time in the whole process, since METIS draws
/// its random numbers from rand(). Throws UsageError if the graph exceeds METIS's index type, MemoryError if METIS runs out of
/// memory.
[[nodiscard]] std::vector<Index> metis_ordering(const Graph& graph);

/// Throws UsageError if a graph of this many vertices and neighbours cannot be counted in METIS's index type.
void check_metis_width(Count num_vertices, Count num_neighbors);

}  // namespace frond
