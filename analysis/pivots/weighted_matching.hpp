// SPDX-License-Identifier: BSD-3-Clause
// Which row should give each column its pivot: the matching of rows and columns with the largest product of entries.
#pragma once

#include <optional>
#include <vector>

#include "frond/matrix.hpp"

namespace frond {

/// A matching of the rows and columns of a square matrix, and the scaling that proves it best: with D_r = diag(exp(row_logs)) and
/// D_c = diag(exp(col_logs)) the matched entries of D_r |A| D_c are 1 and no entry is larger. Rows and columns of zeros have the
/// logarithm 0.
struct WeightedMatching {
  std::vector<Index> row_of_column;  ///< a permutation; columns without an entry to match get rows that are left, their own first
  std::vector<bool> is_matched;      ///< [column]: along an entry that is not zero
  Index rank = 0;                    ///< columns that are matched: the structural rank, zeros not counted as entries
  std::vector<double> row_logs;
  std::vector<double> col_logs;
};

/// A matching of as many columns as possible along entries that are not zero, with the largest product of magnitudes that any
/// matching of the same rows and columns has; if all are matched, the largest of all (Duff & Koster 2001, "On algorithms for
/// permuting large entries to the diagonal of a sparse matrix", SIAM J. Matrix Anal. Appl. 22): shortest augmenting paths by
/// Dijkstra's method, from duals that a cheap heuristic finds. `matrix` is square, holds magnitudes, and is taken as it is stored:
/// give the general form of a symmetric one. Scaling rows and columns does not change which matchings are best. O(n (entries + n)
/// log n) at worst, a small multiple of the entries as a rule.
[[nodiscard]] WeightedMatching largest_product_matching(const MatrixView<double>& matrix);

/// The same by the logarithms of the magnitudes, to any base, which then is that of the scaling, too; -infinity for zeros. Where
/// the logarithms are integers of at most 40 bits, everything is exact. Nothing if that takes more than `most_looks` looks at
/// entries, about.
[[nodiscard]] std::optional<WeightedMatching> largest_product_matching(const PatternView& pattern, std::vector<double> logarithms,
                                                                       Count most_looks);

}  // namespace frond
