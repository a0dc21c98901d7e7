// SPDX-License-Identifier: BSD-3-Clause
// The elimination tree (Liu 1986, "A compact row storage scheme for Cholesky factors using elimination trees", ACM TOMS 12).
#pragma once

#include <vector>

#include "analysis/graph/graph.hpp"

namespace frond {

/// parent[j] = min { i > j : l_ij != 0 }, kNoParent for a root, when the vertices are eliminated in the given order; j and i are
/// new numbers. O(edges * log(vertices)), in practice O(edges), by path compression.
[[nodiscard]] std::vector<Index> elimination_tree(const Graph& graph, const Permutation& order);

}  // namespace frond
