// SPDX-License-Identifier: BSD-3-Clause
// Sparse matrices in compressed columns: the owning matrix, and views of arrays that somebody else owns.
#pragma once

#include <span>
#include <vector>

#include "matrices/types.hpp"

namespace frond {

/// The positions of a sparse matrix in compressed columns, owned by somebody else.
///
/// Column j holds the rows row_indices[column_offsets[j] .. column_offsets[j+1]). Rows of a column may come in any order, but only
/// once each. When `symmetry` is not `general` one triangle is held, the diagonal included; which one does not matter and entries
/// of both may be mixed, as long as no position is held twice, itself or mirrored.
///
///   [ 4 . 1 ]    symmetric, lower triangle:   column_offsets = {0, 2, 3, 4}
///   [ . 5 . ]                                 row_indices    = {0, 2, 1, 2}
///   [ 1 . 6 ]                                 values         = {4, 1, 5, 6}
struct PatternView {
  Index num_rows = 0;
  Index num_cols = 0;
  Symmetry symmetry = Symmetry::general;
  std::span<const Count> column_offsets;  ///< length num_cols + 1, starts with 0
  std::span<const Index> row_indices;     ///< length column_offsets[num_cols], 0-based

  [[nodiscard]] Count num_entries() const { return column_offsets.empty() ? 0 : column_offsets.back(); }
};

/// A sparse matrix whose arrays are owned by somebody else: a pattern and one value per position.
template <Scalar S>
struct MatrixView {
  PatternView pattern;
  std::span<const S> values;  ///< same length and order as pattern.row_indices
};

/// A sparse matrix that owns its arrays. Rows increase strictly within each column (no duplicates). A symmetric, skew-symmetric or
/// Hermitian matrix holds its lower triangle only; a skew-symmetric one no diagonal.
template <Scalar S>
struct SparseMatrix {
  Index num_rows = 0;
  Index num_cols = 0;
  Symmetry symmetry = Symmetry::general;
  std::vector<Count> column_offsets = {0};
  std::vector<Index> row_indices;
  std::vector<S> values;

  [[nodiscard]] Count num_entries() const { return static_cast<Count>(row_indices.size()); }
  [[nodiscard]] PatternView pattern() const { return {num_rows, num_cols, symmetry, column_offsets, row_indices}; }
  [[nodiscard]] MatrixView<S> view() const { return {pattern(), values}; }
};

}  // namespace frond
