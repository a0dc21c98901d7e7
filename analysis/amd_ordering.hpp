// SPDX-License-Identifier: BSD-3-Clause
// Approximate minimum degree by SuiteSparse's AMD (Amestoy, Davis, Duff 1996, "An approximate minimum degree ordering algorithm",
// SIAM J. Matrix Anal. Appl. 17).
#pragma once

#include <vector>

#include "analysis/graph.hpp"

namespace frond {

/// perm[new] = old vertex; dense vertices (see dense_degree) come last. AMD knows no weights: the graph is taken as if every vertex
/// were one variable. Throws UsageError if the graph exceeds AMD's index type.
[[nodiscard]] std::vector<Index> amd_ordering(const Graph& graph);

}  // namespace frond
