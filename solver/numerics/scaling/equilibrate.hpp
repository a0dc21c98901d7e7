// SPDX-License-Identifier: BSD-3-Clause
// Scales rows and columns by sweeps over the matrix.
#pragma once

#include <optional>
#include <span>

#include "solver/numerics/scaling/log_scales.hpp"

namespace frond {

/// A diagonal is strong enough if no other entry is larger by more than this factor, 10: the default threshold then accepts its
/// pivots.
inline constexpr Log kStrong = 217706;

inline constexpr int kMostSweeps = 20;  ///< passes over the entries; each halves the spread of the exponents

/// Simultaneous row and column scaling in the maximum norm (Ruiz 2001, "A scaling algorithm to equilibrate both rows and columns
/// norms in matrices"), from the current scales: every sweep divides row i by the square root of its largest magnitude, and column
/// j likewise. Stops when all maxima are within a factor of 1.25 of 1 (scales are rounded to powers of 2 in any case), or after
/// kMostSweeps. Rows and columns of zeros keep their scales. Returns the number of sweeps. O(entries) per sweep.
int equilibrate(const LogMatrix& matrix, LogScales& scales);

/// Whether the maxima of all rows and columns, except for those of zeros, are within `tolerance` of 1. O(entries).
[[nodiscard]] bool is_equilibrated(const LogMatrix& matrix, const LogScales& scales, Log tolerance);

/// Scales that make the diagonal of a symmetric matrix 1; then, for rows without a diagonal, the largest entry that connects them
/// to rows with known scales, and so on layer by layer. So the diagonals of the first block of a saddle point problem stay as large
/// as possible, and its pivots pass their tests. The scales follow any scaling of the matrix by powers of 2. Returns nothing if a
/// row is not reached from a diagonal within `max_layers`; rows of zeros have the scale 1. O(entries) per layer.
[[nodiscard]] std::optional<LogScales> scales_from_diagonal(const LogMatrix& matrix, int max_layers);

/// Whether scales from the diagonal leave suitable pivots.
[[nodiscard]] bool suits_diagonal(const LogMatrix& matrix, const LogScales& scales);

/// The logarithm of the smallest entry that is not 0, with these scales; kLargestLog if there is none.
[[nodiscard]] Log smallest_entry(const LogMatrix& matrix, const LogScales& scales);

/// Scales of a general matrix that make the entries at (row_of_column[j], j), or on the diagonal if that is empty, 1, and balance
/// the largest others of each of these rows with the largest of its column, down to 2^-10, by simultaneous sweeps (Osborne 1960,
/// "On pre-conditioning of matrices", in the maximum norm).
struct BalancedScales {
  LogScales scales;
  Log largest = kLogOfZero;  ///< of the other entries
  int num_sweeps = 0;
};

/// Starts from the current scales: first both scales of such an entry change by the same factor. Returns nothing if one of these
/// entries is zero or missing. O(entries) per sweep.
[[nodiscard]] std::optional<BalancedScales> balance_about(const LogMatrix& matrix, std::span<const Index> row_of_column,
                                                          LogScales scales);

/// The same for scales that already make these entries 1, which it improves. If none of the others is larger than 1, none will be.
/// Returns the number of sweeps.
int balance(const LogMatrix& matrix, std::span<const Index> row_of_column, LogScales& scales);

}  // namespace frond
