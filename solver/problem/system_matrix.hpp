// SPDX-License-Identifier: BSD-3-Clause
// The matrix of a linear system as the caller holds it: compressed by columns or by rows, nothing copied.
#pragma once

#include <span>

#include "matrices/sparse_matrix.hpp"

namespace frond {

/// The matrix A of A x = b, in arrays that belong to the caller and must outlive every object made from it: residuals are taken
/// from them. Compressed rows of A are the compressed columns of A^T, so they are held as such and solved with transposed.
template <Scalar S>
struct SystemMatrix {
  MatrixView<S> stored;     ///< A, or A^T when `transposed`
  bool transposed = false;  ///< `stored` is A^T

  SystemMatrix(const MatrixView<S>& matrix) : stored(matrix) {}           // NOLINT(google-explicit-constructor): the same matrix
  SystemMatrix(const SparseMatrix<S>& matrix) : stored(matrix.view()) {}  // NOLINT(google-explicit-constructor): the same matrix
  SystemMatrix(const SparseMatrix<S>&& matrix) = delete;                  // whose arrays would be gone
  SystemMatrix(const MatrixView<S>& matrix, bool is_transposed) : stored(matrix), transposed(is_transposed) {}

  [[nodiscard]] Index order() const { return stored.pattern.num_cols; }
};

/// A from its columns: column j holds rows[k], values[k] for k in [offsets[j], offsets[j+1]), 0-based, in any order, each once.
/// When `symmetry` is not general, one triangle.
template <Scalar S>
[[nodiscard]] SystemMatrix<S> compressed_columns(Index order, std::span<const Count> offsets, std::span<const Index> rows,
                                                 std::span<const S> values, Symmetry symmetry = Symmetry::general) {
  return {MatrixView<S>{PatternView{order, order, symmetry, offsets, rows}, values}, false};
}

/// A from its rows: row i holds cols[k], values[k] for k in [offsets[i], offsets[i+1]), as above.
template <Scalar S>
[[nodiscard]] SystemMatrix<S> compressed_rows(Index order, std::span<const Count> offsets, std::span<const Index> cols,
                                              std::span<const S> values, Symmetry symmetry = Symmetry::general) {
  return {MatrixView<S>{PatternView{order, order, symmetry, offsets, cols}, values}, true};
}

/// Throws UsageError when the arrays are no matrix (lengths, offsets, indices), A is not square, or a value is NaN or infinite
/// (naming the entry).
template <Scalar S>
void check_system(const SystemMatrix<S>& matrix);

}  // namespace frond
