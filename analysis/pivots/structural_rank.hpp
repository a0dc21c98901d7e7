// SPDX-License-Identifier: BSD-3-Clause
// Computes the largest rank that a matrix of a given pattern can have.
#pragma once

#include <vector>

#include "frond/matrix.hpp"

namespace frond {

inline constexpr Index kUnmatched = -1;  ///< in place of the column of a row

struct StructuralRank {
  Index rank = 0;                        ///< size of a maximum matching of rows and columns along entries
  std::vector<Index> unmatched_columns;  ///< increasing; columns for which no row is left
  std::vector<Index> row_of_column;      ///< such a matching, if all columns are in it; empty: each column has the row of its
                                         ///< number
};

/// Maximum bipartite matching by depth-first searches with look-ahead, in phases of disjoint augmenting paths (Duff 1981; Pothen &
/// Fan 1990). Where only one triangle is held, both count. O(entries) per phase, a few phases in practice, and one pass where the
/// diagonal is held.
[[nodiscard]] StructuralRank structural_rank(const PatternView& pattern);

/// Makes a matching of rows and columns of a general pattern, [row] = column or kUnmatched, a maximum one. Returns the columns that
/// it leaves, in increasing order.
std::vector<Index> complete_matching(const PatternView& pattern, std::vector<Index>& column_of_row);

/// Whether each column holds its diagonal entry.
[[nodiscard]] bool has_whole_diagonal(const PatternView& pattern);

}  // namespace frond
