// SPDX-License-Identifier: BSD-3-Clause
// Represents magnitudes and scales by their binary logarithms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "frond/matrix.hpp"
#include "matrices/large_vector.hpp"

namespace frond {

/// A binary logarithm in units of 2^-16. Sums and differences are exact, so that scaling by a power of 2 shifts all results by
/// exactly that power. Magnitudes of double precision take 27 bits.
using Log = std::int32_t;

inline constexpr Log kLogOfTwo = 1 << 16;
inline constexpr Log kLogOfZero = std::numeric_limits<Log>::min();
inline constexpr Log kLargestLog = 1 << 28;  ///< of a scale; three of that size can be added

/// The magnitudes of a sparse matrix.
struct LogMatrix {
  PatternView pattern;    ///< owned elsewhere
  LargeVector<Log> logs;  ///< in the order of the entries; kLogOfZero for zeros
  Log epsilon = 0;        ///< of the rounding unit of the entries' type

  [[nodiscard]] bool is_general() const { return pattern.symmetry == Symmetry::general; }

  /// Calls visit(row, column, logarithm) for all stored nonzero entries, column by column.
  template <class Visit>
  void for_each(Visit visit) const {
    for_each_in(0, pattern.num_cols, visit);
  }

  /// The same for the columns [begin_column, end_column).
  template <class Visit>
  void for_each_in(Index begin_column, Index end_column, Visit visit) const {
    for (Index column = begin_column; column < end_column; ++column) {
      const auto end = static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(column) + 1]);
      for (auto k = static_cast<std::size_t>(pattern.column_offsets[column]); k < end; ++k) {
        if (logs[k] != kLogOfZero) {
          visit(static_cast<std::size_t>(pattern.row_indices[k]), static_cast<std::size_t>(column), logs[k]);
        }
      }
    }
  }
};

/// The row matched with a column; the row of the same number if `row_of_column` is empty.
[[nodiscard]] inline std::size_t chosen_row(std::span<const Index> row_of_column, std::size_t column) {
  return row_of_column.empty() ? column : static_cast<std::size_t>(row_of_column[column]);
}

/// Scales of rows and columns; equal unless the matrix is general.
struct LogScales {
  std::vector<Log> rows;
  std::vector<Log> cols;
};

/// The logarithms of all entries of a matrix, which must be finite. O(entries).
template <Scalar S>
[[nodiscard]] LogMatrix log_magnitudes(const MatrixView<S>& matrix);

[[nodiscard]] LogScales unit_scales(const PatternView& pattern);

/// The nearest power of 2; the larger one of two that are equally near.
[[nodiscard]] constexpr int nearest_exponent(Log scale) { return (scale + kLogOfTwo / 2) >> 16; }

}  // namespace frond
