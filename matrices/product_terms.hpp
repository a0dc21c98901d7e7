// SPDX-License-Identifier: BSD-3-Clause
// The terms a_ij x_j of a product with a sparse matrix, for every symmetry and operation.
#pragma once

#include <cstddef>

#include "matrices/build.hpp"
#include "matrices/products.hpp"
#include "matrices/sparse_matrix.hpp"

namespace frond {

/// Half open: stored columns.
struct ColumnRange {
  Index begin;
  Index end;
};

[[nodiscard]] inline ColumnRange all_columns(const PatternView& pattern) { return {0, pattern.num_cols}; }

/// Calls direct(to, from, a_ij) for the entries stored in these columns, as those of y_to += a x_from, and mirrored(to, from, a_ij)
/// for their mirror images when A is symmetric of some kind. O(entries).
template <class S, class Direct, class Mirrored>
void for_each_term(const MatrixView<S>& matrix, ColumnRange columns, bool transposed, const Direct& direct,
                   const Mirrored& mirrored) {
  const PatternView& pattern = matrix.pattern;
  const bool is_general = pattern.symmetry == Symmetry::general;
  for (auto j = static_cast<std::size_t>(columns.begin); j < static_cast<std::size_t>(columns.end); ++j) {
    const auto begin = static_cast<std::size_t>(pattern.column_offsets[j]);
    const auto end = static_cast<std::size_t>(pattern.column_offsets[j + 1]);
    for (std::size_t k = begin; k < end; ++k) {
      const auto i = static_cast<std::size_t>(pattern.row_indices[k]);
      const S value = matrix.values[k];
      const std::size_t to = transposed ? j : i;
      const std::size_t from = transposed ? i : j;
      direct(to, from, value);
      if (!is_general && i != j) {
        mirrored(from, to, value);
      }
    }
  }
}

/// Calls add(to, from, a) for the terms y_to += a x_from of op(A) x that the entries stored in these columns give. O(entries).
template <class S, class Add>
void for_each_term_of(const MatrixView<S>& matrix, ColumnRange columns, Operation operation, const Add& add) {
  const Symmetry symmetry = matrix.pattern.symmetry;
  if (operation == Operation::adjoint && kIsComplex<S>) {
    for_each_term(
        matrix, columns, true, [&](std::size_t to, std::size_t from, S value) { add(to, from, conjugate(value)); },
        [&](std::size_t to, std::size_t from, S value) { add(to, from, conjugate(mirrored(symmetry, value))); });
  } else {
    for_each_term(matrix, columns, operation != Operation::plain, add,
                  [&](std::size_t to, std::size_t from, S value) { add(to, from, mirrored(symmetry, value)); });
  }
}

}  // namespace frond
