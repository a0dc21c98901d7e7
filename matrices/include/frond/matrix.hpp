// SPDX-License-Identifier: BSD-3-Clause
// Sparse matrices: views of arrays that somebody else owns, matrices that own theirs, and how these are built.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include <frond/types.hpp>

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
  Index num_rows = 0;                     ///< row indices are below it
  Index num_cols = 0;                     ///< how many columns there are
  Symmetry symmetry = Symmetry::general;  ///< what is promised; decides whether one triangle is held
  std::span<const Count> column_offsets;  ///< length num_cols + 1, starts with 0
  std::span<const Index> row_indices;     ///< length column_offsets[num_cols], 0-based

  [[nodiscard]] Count num_entries() const { return column_offsets.empty() ? 0 : column_offsets.back(); }  ///< that are held
};

/// A sparse matrix whose arrays are owned by somebody else: a pattern and one value per position.
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

  [[nodiscard]] Count num_entries() const { return static_cast<Count>(row_indices.size()); }  ///< that are held
  [[nodiscard]] PatternView pattern() const { return {num_rows, num_cols, symmetry, column_offsets, row_indices}; }  ///< a view
  [[nodiscard]] MatrixView<S> view() const { return {pattern(), values}; }                                           ///< a view
};

/// A matrix as a list of entries in any order: entry k is values[k] at (rows[k], cols[k]), 0-based. Entries of one position add up.
/// When `symmetry` is not `general` the entries belong to the lower triangle, to the strictly lower one when skew-symmetric.
///
///   [ 4 . 1 ]    symmetric:   rows   = {0, 2, 1, 2, 0}
///   [ . 5 . ]                 cols   = {0, 2, 1, 0, 0}
///   [ 1 . 6 ]                 values = {3, 6, 5, 1, 1}    the first and the last add up to 4
template <Scalar S>
struct Triplets {
  Index num_rows = 0;                     ///< row indices are below it
  Index num_cols = 0;                     ///< column indices are below it
  Symmetry symmetry = Symmetry::general;  ///< of the matrix; decides which entries may be there
  std::vector<Index> rows = {};           ///< of entries
  std::vector<Index> cols = {};           ///< of entries
  std::vector<S> values = {};             ///< of entries

  [[nodiscard]] Count num_entries() const { return static_cast<Count>(rows.size()); }  ///< that were added
  void add(Index row, Index col, S value) {
    rows.push_back(row);
    cols.push_back(col);
    values.push_back(value);
  }  ///< one more entry
};

/// Compresses triplets to columns and sums duplicates in their order of appearance; O(entries + rows + cols). Triplets that come
/// sorted by column and row, each position once, are taken over without being moved. Throws a UsageError when the arrays differ in
/// length or an entry lies outside the matrix or the triangle that its symmetry allows.
template <Scalar S>
[[nodiscard]] FROND_API SparseMatrix<S> compress(Triplets<S> triplets);

/// The same matrix with both triangles stored, rows sorted; O(entries + columns).
template <Scalar S>
[[nodiscard]] FROND_API SparseMatrix<S> expand_to_general(const MatrixView<S>& matrix);

/// A^T in compressed columns, which are the rows of A, for a general A; O(entries + rows + columns). Throws a UsageError for other
/// symmetries, whose transposes need no new arrays.
template <Scalar S>
[[nodiscard]] FROND_API SparseMatrix<S> transpose(const MatrixView<S>& matrix);

/// The symmetry that the values of a general matrix have, exactly: Hermitian, symmetric or skew-symmetric, in this order where it
/// is more than one, or none. Entries that have no mirrored one decide, zeros included. What is not square is general, and a matrix
/// of another symmetry has that. O(entries + columns).
template <Scalar S>
[[nodiscard]] FROND_API Symmetry find_symmetry(const MatrixView<S>& matrix);

/// The lower triangle of a square matrix of which both are stored, as a matrix of this symmetry. Throws a UsageError where the
/// values are not so: who factorizes further values by one triangle calls this for each set.
template <Scalar S>
[[nodiscard]] FROND_API SparseMatrix<S> lower_triangle(const MatrixView<S>& matrix, Symmetry symmetry);

/// Adds a finite element to a matrix that is assembled by triplets: entry (a, b) of the element, values[a + b * k] for k variables,
/// belongs to row variables[a] and column variables[b], 0-based; contributions to one position add up. A matrix that is not general
/// takes one triangle of the element, with its diagonal, on which those of a skew-symmetric one are left out: `is_lower` says which
/// is looked at. Throws UsageError unless `values` has k * k entries. compress(), or the factorization of several
/// ranks' triplets, checks the variables.
///
///   variables = {4, 1},  values = {5, 6, 6, 7}:    5 is added to (4, 4), 7 to (1, 1), and 6 to (1, 4) and (4, 1),
///   [ 5 6 ]                                        of which a symmetric matrix has (4, 1) alone
///   [ 6 7 ]
template <Scalar S>
FROND_API void add_element(Triplets<S>& matrix, std::span<const Index> variables, std::span<const std::type_identity_t<S>> values,
                           bool is_lower = true);

/// A matrix of square blocks, compressed by block rows (BSR): block row i holds the blocks k in [offsets[i], offsets[i + 1]), each
/// at block column columns[k], with its block_size^2 values row by row. When `symmetry` is not general, the blocks of the lower
/// block triangle; of blocks on the diagonal the lower triangle is looked at. Blocks of one position add up. Throws UsageError when
/// the arrays are no such matrix, and when the order is beyond Index.
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

/// The matrix A of A x = b, in arrays that belong to the caller and must outlive every object made from it: residuals are taken
/// from them. Compressed rows of A are the compressed columns of A^T, so they are held as such and solved with transposed.
template <Scalar S>
struct SystemMatrix {
  MatrixView<S> stored;                          ///< A, or A^T when `transposed`
  bool transposed = false;                       ///< `stored` is A^T
  std::shared_ptr<const void> converted_arrays;  ///< that were made where the caller has indices of other types

  SystemMatrix() = default;                                               ///< nothing: what ranks pass that do not have the matrix
  SystemMatrix(const MatrixView<S>& matrix) : stored(matrix) {}           // NOLINT(google-explicit-constructor): the same matrix
  SystemMatrix(const SparseMatrix<S>& matrix) : stored(matrix.view()) {}  // NOLINT(google-explicit-constructor): the same matrix
  SystemMatrix(const SparseMatrix<S>&& matrix) = delete;                  // whose arrays would be gone
  SystemMatrix(const MatrixView<S>& matrix, bool is_transposed) : stored(matrix), transposed(is_transposed) {}  ///< A or A^T

  [[nodiscard]] Index order() const { return stored.pattern.num_cols; }  ///< rows and columns of A
};

/// A from its columns: column j holds rows[k], values[k] for k in [offsets[j], offsets[j+1]), 0-based, in any order, each once.
/// When `symmetry` is not general, one triangle.
template <Scalar S>
[[nodiscard]] SystemMatrix<S> compressed_columns(Index order, std::span<const Count> offsets, std::span<const Index> rows,
                                                 std::span<const S> values, Symmetry symmetry = Symmetry::general) {
  return {MatrixView<S>{PatternView{order, order, symmetry, offsets, rows}, values}, false};
}

/// The same for offsets of 32 bits, of which a copy is made.
template <Scalar S>
[[nodiscard]] SystemMatrix<S> compressed_columns(Index order, std::span<const std::int32_t> offsets, std::span<const Index> rows,
                                                 std::span<const S> values, Symmetry symmetry = Symmetry::general) {
  const auto wide = std::make_shared<const std::vector<Count>>(offsets.begin(), offsets.end());
  SystemMatrix<S> matrix = compressed_columns<S>(order, *wide, rows, values, symmetry);
  matrix.converted_arrays = wide;
  return matrix;
}

/// A from its rows: row i holds cols[k], values[k] for k in [offsets[i], offsets[i+1]), as above.
///
///   [ 4 1 . ]    offsets = {0, 2, 4, 6}
///   [ . 5 2 ]    cols    = {0, 1, 1, 2, 0, 2}
///   [ 3 . 6 ]    values  = {4, 1, 5, 2, 3, 6}
template <Scalar S>
[[nodiscard]] SystemMatrix<S> compressed_rows(Index order, std::span<const Count> offsets, std::span<const Index> cols,
                                              std::span<const S> values, Symmetry symmetry = Symmetry::general) {
  return {MatrixView<S>{PatternView{order, order, symmetry, offsets, cols}, values}, true};
}

/// The same for offsets of 32 bits, of which a copy is made.
template <Scalar S>
[[nodiscard]] SystemMatrix<S> compressed_rows(Index order, std::span<const std::int32_t> offsets, std::span<const Index> cols,
                                              std::span<const S> values, Symmetry symmetry = Symmetry::general) {
  SystemMatrix<S> matrix = compressed_columns<S>(order, offsets, cols, values, symmetry);
  matrix.transposed = true;
  return matrix;
}

}  // namespace frond
