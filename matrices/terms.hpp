// SPDX-License-Identifier: BSD-3-Clause
// Visits the terms of a product with a sparse matrix, for every symmetry and operation.
#pragma once

#include <cstddef>

#include "frond/matrix.hpp"
#include "frond/types.hpp"
#include "matrices/symmetry.hpp"

namespace frond {

/// Calls direct(to, from, a_ij) for all stored entries, as in y_to += a x_from, and mirrored(to, from, a_ij) for their mirror
/// images if A is symmetric, skew-symmetric or Hermitian.
template <class S, class Direct, class Mirrored>
void for_each_term(const MatrixView<S>& matrix, bool transposed, const Direct& direct, const Mirrored& mirrored) {
  const PatternView& pattern = matrix.pattern;
  const bool is_general = pattern.symmetry == Symmetry::general;
  for (std::size_t j = 0; j < static_cast<std::size_t>(pattern.num_cols); ++j) {
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

/// Calls add(to, from, a) for all terms of y = op(A) x, y_to += a x_from. O(entries).
template <class S, class Add>
void for_each_term_of(const MatrixView<S>& matrix, Operation operation, const Add& add) {
  const Symmetry symmetry = matrix.pattern.symmetry;
  if (operation == Operation::adjoint && kIsComplex<S>) {
    for_each_term(
        matrix, true, [&](std::size_t to, std::size_t from, S value) { add(to, from, conjugate(value)); },
        [&](std::size_t to, std::size_t from, S value) { add(to, from, conjugate(mirrored(symmetry, value))); });
  } else {
    for_each_term(matrix, operation != Operation::plain, add,
                  [&](std::size_t to, std::size_t from, S value) { add(to, from, mirrored(symmetry, value)); });
  }
}

}  // namespace frond
