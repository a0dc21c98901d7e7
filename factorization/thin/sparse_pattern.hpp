// SPDX-License-Identifier: BSD-3-Clause
// What is factorized over compressed columns, and what its pivots are judged by.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "factorization/kernels/magnitude.hpp"
#include "frond/types.hpp"

namespace frond {

/// The columns of a matrix B in the order in which they are eliminated, without values: the entries of column k are
/// [offsets[k], offsets[k + 1]), in any order, none twice. Entry e lies in row rows[e]; its value is values[sources[e]] of an array
/// of the caller, times the scale of its row.
struct SparsePattern {
  std::span<const Index> offsets;
  std::span<const Index> rows;
  std::span<const Index> sources;

  [[nodiscard]] Index num_columns() const { return static_cast<Index>(offsets.size()) - 1; }
};

/// The values of a pattern, and the scales of its rows.
template <Scalar S>
struct SparseValues {
  const S* values;
  std::span<const RealOf<S>> row_scales;

  [[nodiscard]] S scaled(Index source, Index row) const { return values[source] * row_scales[row]; }
};

/// What pivots and growth are judged by; magnitudes are those of magnitude_bound().
template <Scalar S>
struct PivotExtremes {
  RealOf<S> largest_entry = 0;     ///< of the scaled matrix, within its diagonal blocks
  RealOf<S> largest_of_upper = 0;  ///< of U, or D L^T, with its diagonal
  RealOf<S> smallest_pivot = std::numeric_limits<RealOf<S>>::infinity();
  Index smallest = 0;  ///< its place in the order of pivots

  void take_entry(S value) { largest_entry = std::max(largest_entry, magnitude_bound(value)); }
  void take_upper(S u) { largest_of_upper = std::max(largest_of_upper, magnitude_bound(u)); }
  void take_pivot(Index place, S pivot) {
    take_upper(pivot);
    if (const RealOf<S> size = magnitude_bound(pivot); size < smallest_pivot) {
      smallest_pivot = size;
      smallest = place;
    }
  }
  /// As take_column() does for a column whose only entry is the pivot.
  void take_unit(Index place) {
    largest_entry = 1;
    largest_of_upper = std::max(largest_of_upper, RealOf<S>(1));
    if (smallest_pivot > 1) {
      smallest_pivot = 1;
      smallest = place;
    }
  }
  /// Takes over those of one column, as if its largest entry were scaled to 1: pivots of LU do not depend on scales of columns.
  void take_column(const PivotExtremes& column) {
    largest_entry = 1;
    largest_of_upper = std::max(largest_of_upper, column.largest_of_upper / column.largest_entry);
    if (const RealOf<S> size = column.smallest_pivot / column.largest_entry; size < smallest_pivot) {
      smallest_pivot = size;
      smallest = column.smallest;
    }
  }
};

/// As many right-hand sides are solved for at a time, or one; those of one row are next to each other.
inline constexpr int kSideLanes = 4;

/// Whether a pivot with this reciprocal can be divided by.
template <Scalar S>
[[nodiscard]] bool is_usable_inverse(S inverse) {
  return std::isfinite(magnitude_bound(inverse)) && inverse != S(0);
}

}  // namespace frond
