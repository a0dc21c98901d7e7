// SPDX-License-Identifier: BSD-3-Clause
// Dense matrices, such as right-hand sides and solutions, and views of dense matrices owned by others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <frond/types.hpp>

namespace frond {

/// rows x cols entries; entry (i, j) is data[i + j ld], ld >= rows.
template <class S>
struct DenseView {
  S* data = nullptr;  ///< entry (0, 0)
  Index rows = 0;     ///< of the view
  Index cols = 0;     ///< of the view
  Index ld = 1;       ///< distance in entries from a column to the next one

  [[nodiscard]] S& operator()(Index i, Index j) const { return data[i + static_cast<Count>(j) * ld]; }  ///< entry (i, j)
  [[nodiscard]] S* column(Index j) const { return data + static_cast<Count>(j) * ld; }                  ///< points to entry (0, j)
  [[nodiscard]] DenseView block(Index row, Index col, Index num_rows, Index num_cols) const {
    return {data + row + static_cast<Count>(col) * ld, num_rows, num_cols, ld};
  }  ///< num_rows by num_cols entries, starting at (row, col)
  [[nodiscard]] DenseView columns(Index begin, Index end) const { return block(0, begin, rows, end - begin); }  ///< [begin, end)
  [[nodiscard]] bool empty() const { return rows == 0 || cols == 0; }  ///< true if there are no entries
  operator DenseView<const S>() const {
    return {data, rows, cols, ld};
  }  // NOLINT(google-explicit-constructor): a view of what may be written may be read
};

/// Views these entries as one column.
template <class S>
[[nodiscard]] DenseView<S> column_view(std::span<S> entries) {
  const auto rows = static_cast<Index>(entries.size());
  return {entries.data(), rows, 1, std::max(rows, Index{1})};
}

/// Some rows of a dense matrix that has as many rows as A: row k of `values` belongs to row rows[k] of that matrix.
///
///   rows = {4, 0}, values = {{1, 2}, {3, 4}}   =>   row 4 is (1, 2), row 0 is (3, 4)
template <class S>
struct DenseRows {
  std::span<const Index> rows;  ///< 0-based, in any order; a row may occur several times
  DenseView<S> values;          ///< of these rows, in this order

  [[nodiscard]] DenseRows columns(Index begin, Index end) const {
    return rows.empty() ? DenseRows{} : DenseRows{rows, values.columns(begin, end)};
  }  ///< rows [begin, end) of the list
};

/// Column-major: entry (i, j) is values[i + j * num_rows].
template <Scalar S>
struct DenseMatrix {
  Index num_rows = 0;     ///< length of a column
  Index num_cols = 0;     ///< length of a row
  std::vector<S> values;  ///< num_rows times num_cols

  DenseMatrix() = default;
  /// A matrix of zeros.
  DenseMatrix(Index rows, Index cols)
      : num_rows(rows), num_cols(cols), values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols)) {}

  [[nodiscard]] S& operator()(Index row, Index col) { return values[position(row, col)]; }              ///< an entry
  [[nodiscard]] const S& operator()(Index row, Index col) const { return values[position(row, col)]; }  ///< an entry

  [[nodiscard]] std::span<S> column(Index col) { return std::span(values).subspan(position(0, col), height()); }  ///< a column
  [[nodiscard]] std::span<const S> column(Index col) const { return std::span(values).subspan(position(0, col), height()); }

 private:
  [[nodiscard]] std::size_t height() const { return static_cast<std::size_t>(num_rows); }
  [[nodiscard]] std::size_t position(Index row, Index col) const {
    return static_cast<std::size_t>(row) + static_cast<std::size_t>(col) * height();
  }
};

/// Views all entries of the matrix, which must outlive the view.
template <Scalar S>
[[nodiscard]] DenseView<S> view_of(DenseMatrix<S>& matrix) {
  return {matrix.values.data(), matrix.num_rows, matrix.num_cols, std::max(matrix.num_rows, Index{1})};
}
template <Scalar S>
[[nodiscard]] DenseView<const S> view_of(const DenseMatrix<S>& matrix) {
  return {matrix.values.data(), matrix.num_rows, matrix.num_cols, std::max(matrix.num_rows, Index{1})};
}

}  // namespace frond
