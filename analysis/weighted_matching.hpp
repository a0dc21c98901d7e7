// SPDX-License-Identifier: BSD-3-Clause
// Which row should give each column its pivot: the matching of rows and columns with the largest product of entries.
#pragma once

#include <vector>

#include "matrices/sparse_matrix.hpp"

namespace frond {

/// A matching of the rows and columns of a square matrix.
struct WeightedMatching {
  std::vector<Index> row_of_column;  ///< a permutation; columns without an entry to match get rows that are left, their own first
  std::vector<bool> is_matched;      ///< [column]: along an entry that is not zero
  Index rank = 0;                    ///< columns that are matched: the structural rank, zeros not counted as entries
};

/// A matching of as many columns as possible along entries that are not zero, with the largest product of magnitudes that any
/// matching of the same rows and columns has; if all are matched, the largest of all (Duff & Koster 2001, "On algorithms for
/// permuting large entries to the diagonal of a sparse matrix", SIAM J. Matrix Anal. Appl. 22): shortest augmenting paths by
/// Dijkstra's method, from duals that a cheap heuristic finds. `matrix` is square, holds magnitudes, and is taken as it is stored:
/// give the general form of a symmetric one. Scaling rows and columns does not change which matchings are best. O(n (entries + n)
/// log n) at worst, a small multiple of the entries as a rule.
[[nodiscard]] WeightedMatching largest_product_matching(const MatrixView<double>& matrix);

}  // namespace frond
