// SPDX-License-Identifier: BSD-3-Clause
// Finds the irreducible diagonal blocks of a matrix.
#pragma once

#include <span>
#include <vector>

#include "frond/matrix.hpp"

namespace frond {

/// Strong components of the graph in which an edge leads from column j to column k if the row that is matched with k has an entry
/// in column j. Numbered so that no edge leads to a larger number: with rows and columns in the order of their components the
/// matrix is block upper triangular, and each diagonal block is irreducible.
struct StrongComponents {
  Index count = 0;
  std::vector<Index> of_column;  ///< [column] = component
};

/// Tarjan's depth-first search (Tarjan 1972; Duff & Reid 1978), without recursion. `column_of_row` is a permutation: the column
/// that each row is matched with. O(entries).
[[nodiscard]] StrongComponents strong_components(const PatternView& pattern, std::span<const Index> column_of_row);

}  // namespace frond
