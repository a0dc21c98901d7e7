// SPDX-License-Identifier: BSD-3-Clause
// Building sparse matrices: from triplets, from one triangle to both, from columns to rows.
#pragma once

#include <vector>

#include "matrices/sparse_matrix.hpp"

namespace frond {

/// A matrix as a list of entries in any order: entry k is values[k] at (rows[k], cols[k]), 0-based. Entries of one position add up.
/// When `symmetry` is not `general` the entries belong to the lower triangle, to the strictly lower one when skew-symmetric.
template <Scalar S>
struct Triplets {
  Index num_rows = 0;
  Index num_cols = 0;
  Symmetry symmetry = Symmetry::general;
  std::vector<Index> rows = {};
  std::vector<Index> cols = {};
  std::vector<S> values = {};

  [[nodiscard]] Count num_entries() const { return static_cast<Count>(rows.size()); }
  void add(Index row, Index col, S value) {
    rows.push_back(row);
    cols.push_back(col);
    values.push_back(value);
  }
};

/// The value at (j, i) of a matrix of this symmetry that holds `value` at (i, j).
template <Scalar S>
[[nodiscard]] constexpr S mirrored(Symmetry symmetry, S value) {
  switch (symmetry) {
    case Symmetry::skew_symmetric:
      return -value;
    case Symmetry::hermitian:
      return conjugate(value);
    default:
      return value;
  }
}

/// Compresses triplets to columns and sums duplicates in their order of appearance; O(entries + rows + cols). Triplets that come
/// sorted by column and row, each position once, are taken over without being moved. Throws a UsageError when the arrays differ in
/// length or an entry lies outside the matrix or the triangle that its symmetry allows.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> compress(Triplets<S> triplets);

/// The same matrix with both triangles stored, rows sorted; O(entries + columns).
template <Scalar S>
[[nodiscard]] SparseMatrix<S> expand_to_general(const MatrixView<S>& matrix);

/// A^T in compressed columns, which are the rows of A, for a general A; O(entries + rows + columns). Throws a UsageError for other
/// symmetries, whose transposes need no new arrays.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> transpose(const MatrixView<S>& matrix);

}  // namespace frond
