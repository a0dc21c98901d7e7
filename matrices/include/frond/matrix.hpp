// SPDX-License-Identifier: BSD-3-Clause
// Sparse matrices: views of arrays owned by others, matrices that own their arrays, and functions that build them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include <frond/types.hpp>

namespace frond {

/// The positions of a sparse matrix in compressed columns, in arrays owned by others.
///
/// Column j holds the rows row_indices[column_offsets[j] .. column_offsets[j+1]). Rows of a column may come in any order, but only
/// once each. When `symmetry` is not `general` one triangle is held, the diagonal included; which one does not matter and entries
/// of both may be mixed, as long as no position is held twice, itself or mirrored.
///
///   [ 4 . 1 ]    symmetric, lower triangle:   column_offsets = {0, 2, 3, 4}
///   [ . 5 . ]                                 row_indices    = {0, 2, 1, 2}
///   [ 1 . 6 ]                                 values         = {4, 1, 5, 6}
struct PatternView {
  Index num_rows = 0;                     ///< row indices are below this
  Index num_cols = 0;                     ///< number of columns
  Symmetry symmetry = Symmetry::general;  ///< promised by the caller; decides whether one triangle is held
  std::span<const Count> column_offsets;  ///< length num_cols + 1, starts with 0
  std::span<const Index> row_indices;     ///< length column_offsets[num_cols], 0-based

  [[nodiscard]] Count num_entries() const { return column_offsets.empty() ? 0 : column_offsets.back(); }  ///< entries stored
};

/// A sparse matrix whose arrays are owned by others: a pattern and one value per position.
template <Scalar S>
struct MatrixView {
  PatternView pattern;        ///< the positions
  std::span<const S> values;  ///< same length and order as pattern.row_indices
};

/// A sparse matrix that owns its arrays. Rows increase strictly within each column (no duplicates). A symmetric, skew-symmetric or
/// Hermitian matrix holds its lower triangle only; a skew-symmetric one no diagonal.
template <Scalar S>
struct SparseMatrix {
  Index num_rows = 0;                       ///< as in PatternView
  Index num_cols = 0;                       ///< as in PatternView
  Symmetry symmetry = Symmetry::general;    ///< as in PatternView
  std::vector<Count> column_offsets = {0};  ///< as in PatternView
  std::vector<Index> row_indices;           ///< as in PatternView, increasing in a column
  std::vector<S> values;                    ///< as in MatrixView

  [[nodiscard]] Count num_entries() const { return static_cast<Count>(row_indices.size()); }  ///< entries stored
  [[nodiscard]] PatternView pattern() const { return {num_rows, num_cols, symmetry, column_offsets, row_indices}; }  ///< a view
  [[nodiscard]] MatrixView<S> view() const { return {pattern(), values}; }                                           ///< a view
};

/// A matrix as a list of entries in any order: entry k is values[k] at (rows[k], cols[k]), 0-based. Entries at one position add
/// up. If `symmetry` is not `general`, all entries must lie in the lower triangle (skew-symmetric: strictly lower).
///
///   [ 4 . 1 ]    symmetric:   rows   = {0, 2, 1, 2, 0}
///   [ . 5 . ]                 cols   = {0, 2, 1, 0, 0}
///   [ 1 . 6 ]                 values = {3, 6, 5, 1, 1}    the first and the last add up to 4
template <Scalar S>
struct Triplets {
  Index num_rows = 0;                     ///< row indices are below this
  Index num_cols = 0;                     ///< column indices are below this
  Symmetry symmetry = Symmetry::general;  ///< of the matrix; decides which positions are allowed
  std::vector<Index> rows = {};           ///< of entries
  std::vector<Index> cols = {};           ///< of entries
  std::vector<S> values = {};             ///< of entries

  [[nodiscard]] Count num_entries() const { return static_cast<Count>(rows.size()); }  ///< entries added so far
  void add(Index row, Index col, S value) {
    rows.push_back(row);
    cols.push_back(col);
    values.push_back(value);
  }  ///< adds one entry
};

/// Compresses triplets to columns and sums duplicates in their order of appearance; O(entries + rows + cols). Triplets already
/// sorted by column and row, without duplicates, are taken over without being moved. Throws a UsageError if the arrays differ in
/// length or an entry lies outside the matrix or the triangle that its symmetry allows.
template <Scalar S>
[[nodiscard]] FROND_API SparseMatrix<S> compress(Triplets<S> triplets);

/// Returns the same matrix with both triangles stored, rows sorted; O(entries + columns).
template <Scalar S>
[[nodiscard]] FROND_API SparseMatrix<S> expand_to_general(const MatrixView<S>& matrix);

/// Returns A^T in compressed columns, which are the rows of A, for a general A; O(entries + rows + columns). Throws a UsageError
/// for other symmetries, whose transposes need no new arrays.
template <Scalar S>
[[nodiscard]] FROND_API SparseMatrix<S> transpose(const MatrixView<S>& matrix);

/// Returns the exact symmetry of the values of a general matrix: Hermitian, symmetric or skew-symmetric, the first of these that
/// holds, or general. Entries without a mirror image count as unsymmetric, zeros included. A matrix that is not square is
/// general; a matrix with another declared symmetry keeps it. O(entries + columns).
template <Scalar S>
[[nodiscard]] FROND_API Symmetry find_symmetry(const MatrixView<S>& matrix);

/// Returns the lower triangle of a square matrix stored with both triangles, as a matrix of this symmetry. Throws a UsageError if
/// the values do not have it; call this for each set of values that is factorized from one triangle.
template <Scalar S>
[[nodiscard]] FROND_API SparseMatrix<S> lower_triangle(const MatrixView<S>& matrix, Symmetry symmetry);

/// Adds a finite element to a matrix that is assembled as triplets: entry (a, b) of the element, values[a + b * k] for k
/// variables, belongs to row variables[a] and column variables[b], 0-based; contributions to one position add up. A matrix that
/// is not general takes one triangle of the element, chosen by `is_lower`, with its diagonal, unless the matrix is
/// skew-symmetric. Throws UsageError unless `values` has k * k entries. compress(), or the factorization of several ranks'
/// triplets, checks the variables.
///
///   variables = {4, 1},  values = {5, 6, 6, 7}:    adds 5 to (4, 4), 7 to (1, 1), and 6 to (1, 4) and (4, 1),
///   [ 5 6 ]                                        of which a symmetric matrix stores only (4, 1)
///   [ 6 7 ]
template <Scalar S>
FROND_API void add_element(Triplets<S>& matrix, std::span<const Index> variables, std::span<const std::type_identity_t<S>> values,
                           bool is_lower = true);

/// Builds a matrix from square blocks compressed by block rows (BSR): block row i holds the blocks k in [offsets[i], offsets[i +
/// 1]), each at block column columns[k], with its block_size^2 values row by row. If `symmetry` is not general, only blocks of
/// the lower block triangle are allowed, and only the lower triangle of diagonal blocks is used. Blocks at one position add up.
/// Throws UsageError if the arrays do not describe such a matrix or its order exceeds Index.
///
///   [ 1 2 | . . ]    num_block_rows = 2, block_size = 2
///   [ 3 4 | . . ]    offsets = {0, 1, 3}
///   [-----+-----]    columns = {0, 0, 1}
///   [ 5 6 | 8 . ]    values  = {1, 2, 3, 4,   5, 6, 7, 0,   8, 0, 0, 9}
///   [ 7 . | . 9 ]
template <Scalar S>
[[nodiscard]] FROND_API SparseMatrix<S> from_block_rows(Index num_block_rows, Index block_size, std::span<const Count> offsets,
                                                        std::span<const Index> columns, std::span<const S> values,
                                                        Symmetry symmetry = Symmetry::general);

/// The matrix A of A x = b, in arrays that belong to the caller and must outlive every object made from it: residuals are
/// computed from them. Compressed rows of A are the compressed columns of A^T, so they are held as such and solved with
/// `transposed`.
template <Scalar S>
struct SystemMatrix {
  MatrixView<S> stored;                          ///< A, or A^T when `transposed`
  bool transposed = false;                       ///< `stored` is A^T
  std::shared_ptr<const void> converted_arrays;  ///< owns arrays converted from the caller's index types

  SystemMatrix() = default;                                               ///< empty: for ranks that do not have the matrix
  SystemMatrix(const MatrixView<S>& matrix) : stored(matrix) {}           // NOLINT(google-explicit-constructor): the same matrix
  SystemMatrix(const SparseMatrix<S>& matrix) : stored(matrix.view()) {}  // NOLINT(google-explicit-constructor): the same matrix
  SystemMatrix(const SparseMatrix<S>&& matrix) = delete;                  // its arrays would be destroyed
  SystemMatrix(const MatrixView<S>& matrix, bool is_transposed) : stored(matrix), transposed(is_transposed) {}  ///< A or A^T

  [[nodiscard]] Index order() const { return stored.pattern.num_cols; }  ///< rows and columns of A
};

/// Makes A from its columns: column j holds rows[k], values[k] for k in [offsets[j], offsets[j+1]), 0-based, in any order, each
/// once. If `symmetry` is not general, one triangle.
template <Scalar S>
[[nodiscard]] SystemMatrix<S> compressed_columns(Index order, std::span<const Count> offsets, std::span<const Index> rows,
                                                 std::span<const S> values, Symmetry symmetry = Symmetry::general) {
  return {MatrixView<S>{PatternView{order, order, symmetry, offsets, rows}, values}, false};
}

/// Does the same for 32-bit offsets, which are copied.
template <Scalar S>
[[nodiscard]] SystemMatrix<S> compressed_columns(Index order, std::span<const std::int32_t> offsets, std::span<const Index> rows,
                                                 std::span<const S> values, Symmetry symmetry = Symmetry::general) {
  const auto wide = std::make_shared<const std::vector<Count>>(offsets.begin(), offsets.end());
  SystemMatrix<S> matrix = compressed_columns<S>(order, *wide, rows, values, symmetry);
  matrix.converted_arrays = wide;
  return matrix;
}

/// Makes A from its rows: row i holds cols[k], values[k] for k in [offsets[i], offsets[i+1]), as above.
///
///   [ 4 1 . ]    offsets = {0, 2, 4, 6}
///   [ . 5 2 ]    cols    = {0, 1, 1, 2, 0, 2}
///   [ 3 . 6 ]    values  = {4, 1, 5, 2, 3, 6}
template <Scalar S>
[[nodiscard]] SystemMatrix<S> compressed_rows(Index order, std::span<const Count> offsets, std::span<const Index> cols,
                                              std::span<const S> values, Symmetry symmetry = Symmetry::general) {
  return {MatrixView<S>{PatternView{order, order, symmetry, offsets, cols}, values}, true};
}

/// Does the same for 32-bit offsets, which are copied.
template <Scalar S>
[[nodiscard]] SystemMatrix<S> compressed_rows(Index order, std::span<const std::int32_t> offsets, std::span<const Index> cols,
                                              std::span<const S> values, Symmetry symmetry = Symmetry::general) {
  SystemMatrix<S> matrix = compressed_columns<S>(order, offsets, cols, values, symmetry);
  matrix.transposed = true;
  return matrix;
}

}  // namespace frond
