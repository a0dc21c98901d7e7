// SPDX-License-Identifier: BSD-3-Clause
// A pass over the entries of a matrix, for numbers of one system or of several.
#pragma once

#include "factorization/thin/lane_numbers.hpp"
#include "frond/matrix.hpp"

namespace frond {

/// Calls add(sum, value, unknown) for all entries of op(A), which is A or A^T, with the sum of their equation, and with `values` of
/// the entries that are stored: of symmetric and Hermitian matrices one triangle.
template <class Value, class Sum, class Add>
[[gnu::always_inline]] inline void add_entries(const PatternView& pattern, const Value* values, bool is_transposed, Sum* sums,
                                               const Add& add) {
  const Index* rows = pattern.row_indices.data();
  const bool is_triangle = pattern.symmetry != Symmetry::general;
  const bool is_hermitian = pattern.symmetry == Symmetry::hermitian;
  for (Index column = 0; column < pattern.num_cols; ++column) {
    const Count begin = pattern.column_offsets[column];
    const Count end = pattern.column_offsets[column + 1];
    if (is_triangle || !is_transposed) {
      for (Count entry = begin; entry < end; ++entry) {
        add(sums[rows[entry]], is_hermitian && is_transposed ? conjugate(values[entry]) : values[entry], column);
      }
    }
    if (is_triangle || is_transposed) {
      Sum own = sums[column];
      for (Count entry = begin; entry < end; ++entry) {
        if (!is_triangle || rows[entry] != column) {
          add(own, is_hermitian && !is_transposed ? conjugate(values[entry]) : values[entry], rows[entry]);
        }
      }
      sums[column] = own;
    }
  }
}

}  // namespace frond
