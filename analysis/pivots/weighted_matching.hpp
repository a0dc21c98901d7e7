// SPDX-License-Identifier: BSD-3-Clause
// Chooses the row that gives each column its pivot: the matching of rows and columns with the largest product of entries.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "frond/matrix.hpp"

namespace frond {

/// A matching of the rows and columns of a square matrix, and the scaling that proves how good it is: with D_r =
/// diag(exp(row_logs)) and D_c = diag(exp(col_logs)) no entry of D_r |A| D_c is larger than 1, and the matched ones are 1 where the
/// matching is best. Rows and columns of zeros have the logarithm 0.
struct WeightedMatching {
  std::vector<Index> row_of_column;  ///< a permutation; columns without an entry to match get the remaining rows, their own first
  std::vector<bool> is_matched;      ///< [column]: along an entry that is not zero
  Index rank = 0;                    ///< columns that are matched: the structural rank, zeros not counted as entries
  std::vector<double> row_logs;
  std::vector<double> col_logs;
  /// Minus the logarithm of the product of the matched entries of D_r |A| D_c: that of the best product of as many entries is at
  /// most this much larger. 0 where the matching is best.
  double gap = 0;
};

/// A matching of as many columns as possible along entries that are not zero, with the largest product of magnitudes that any
/// matching of the same rows and columns has; if all are matched, the largest of all (Duff & Koster 2001, "On algorithms for
/// permuting large entries to the diagonal of a sparse matrix", SIAM J. Matrix Anal. Appl. 22): shortest augmenting paths by
/// Dijkstra's method, from duals that a cheap heuristic finds. `matrix` is square, holds magnitudes, and is taken as it is stored:
/// pass the general form of a symmetric one. Scaling rows and columns does not change which matchings are best. O(n (entries + n)
/// log n) at worst, usually a small multiple of the entries.
[[nodiscard]] WeightedMatching largest_product_matching(const MatrixView<double>& matrix);

/// The same for the logarithms of the magnitudes, to any base, which then is also that of the scaling; -infinity for zeros. Where
/// the logarithms are integers of at most 40 bits, everything is exact. Returns nothing if that takes more than about `most_looks`
/// visits of entries.
[[nodiscard]] std::optional<WeightedMatching> largest_product_matching(const PatternView& pattern, std::vector<double> logarithms,
                                                                       Count most_looks);

/// The same, but columns not matched after `most_looks` visits are matched by phases of searches along entries that are smaller
/// than the best ones of their rows and columns by at most a tolerance, one tolerance after the other (rising, in units of the
/// logarithms), and finally along any entries: O(phases times entries), and a product that is known to be at most exp(gap) times
/// too small.
[[nodiscard]] WeightedMatching nearly_largest_product_matching(const PatternView& pattern, std::vector<double> logarithms,
                                                               Count most_looks, std::span<const double> tolerances);

/// The same for magnitudes, with tolerances of 2^4 and 2^32.
[[nodiscard]] WeightedMatching nearly_largest_product_matching(const MatrixView<double>& matrix, Count most_looks);

}  // namespace frond
