// SPDX-License-Identifier: BSD-3-Clause
// Entries per column of the factor, without computing the factor's pattern (Gilbert, Ng, Peyton 1994, "An efficient algorithm to
// compute row and column counts for sparse Cholesky factorization", SIAM J. Matrix Anal. Appl. 15).
#pragma once

#include <span>
#include <vector>

#include "analysis/graph/graph.hpp"

namespace frond {

/// counts[v] = entries of column j of L, the diagonal included, for the first variable j of vertex v (the following variables of
/// the vertex have one entry less each). `graph` is numbered in a postorder of its elimination tree `parent`. O(edges * alpha).
[[nodiscard]] std::vector<Index> column_counts(const Graph& graph, std::span<const Index> parent);

}  // namespace frond
