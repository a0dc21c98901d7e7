// SPDX-License-Identifier: BSD-3-Clause
// Approximate minimum degree by SuiteSparse's AMD (Amestoy, Davis, Duff 1996, "An approximate minimum degree ordering algorithm",
// SIAM J. Matrix Anal. Appl. 17).
#pragma once

#include <vector>

#include "analysis/graph/graph.hpp"

namespace frond {

/// perm[new] = old vertex, for a graph whose vertices all have weight 1 (AMD supports no weights, and finds indistinguishable
/// variables itself); dense vertices (see dense_degree) come last. Throws UsageError if the graph exceeds AMD's index type.
[[nodiscard]] std::vector<Index> amd_ordering(const Graph& graph);

/// True if the graph can be counted in AMD's index type.
[[nodiscard]] bool fits_amd(const Graph& graph);

}  // namespace frond
