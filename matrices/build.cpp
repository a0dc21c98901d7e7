// SPDX-License-Identifier: BSD-3-Clause
// Builds sparse matrices by counting sorts.
#include "frond/matrix.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

#include "frond/error.hpp"
#include "matrices/position.hpp"
#include "matrices/symmetry.hpp"

namespace frond {

namespace {

template <class S>
void check_entries(const Triplets<S>& triplets) {
  if (triplets.rows.size() != triplets.cols.size() || triplets.rows.size() != triplets.values.size()) {
    throw UsageError(fmt::format("the triplets have {} rows, {} columns and {} values; one of each is needed per entry",
                                 triplets.rows.size(), triplets.cols.size(), triplets.values.size()));
  }
  if (triplets.symmetry != Symmetry::general && triplets.num_rows != triplets.num_cols) {
    throw UsageError(fmt::format("a symmetric matrix is square, this one is {} by {}", triplets.num_rows, triplets.num_cols));
  }
  const Index first_below = triplets.symmetry == Symmetry::skew_symmetric ? 1 : 0;
  for (std::size_t k = 0; k < triplets.rows.size(); ++k) {
    const Index row = triplets.rows[k];
    const Index col = triplets.cols[k];
    if (row < 0 || row >= triplets.num_rows || col < 0 || col >= triplets.num_cols) {
      throw UsageError(fmt::format("entry {} at ({}, {}) lies outside the {} by {} matrix (indices start at 0)", k, row, col,
                                   triplets.num_rows, triplets.num_cols));
    }
    if (triplets.symmetry != Symmetry::general && row - col < first_below) {
      throw UsageError(
          fmt::format("entry {} at ({}, {}) does not belong to the triangle of a symmetric matrix that is stored (the lower one, "
                      "without the diagonal when skew-symmetric)",
                      k, row, col));
    }
  }
}

/// True if the entries are sorted by column, then row, without duplicates.
template <class S>
bool is_sorted_and_unique(const Triplets<S>& triplets) {
  for (std::size_t k = 1; k < triplets.rows.size(); ++k) {
    const bool in_order = triplets.cols[k - 1] < triplets.cols[k] ||
                          (triplets.cols[k - 1] == triplets.cols[k] && triplets.rows[k - 1] < triplets.rows[k]);
    if (!in_order) {
      return false;
    }
  }
  return true;
}

/// offsets[k] = number of entries whose index is below k; length num_indices + 1.
std::vector<Count> offsets_of(std::span<const Index> indices, Index num_indices) {
  std::vector<Count> offsets(at(num_indices) + 1, 0);
  for (const Index i : indices) {
    ++offsets[at(i) + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return offsets;
}

/// Sorts the entries by row; entries of the same row keep their order.
template <class S>
void sort_by_row(Triplets<S>& triplets) {
  std::vector<Count> next = offsets_of(triplets.rows, triplets.num_rows);
  Triplets<S> sorted;
  sorted.rows.resize(triplets.rows.size());
  sorted.cols.resize(triplets.cols.size());
  sorted.values.resize(triplets.values.size());
  for (std::size_t k = 0; k < triplets.rows.size(); ++k) {
    const std::size_t position = at(next[at(triplets.rows[k])]++);
    sorted.rows[position] = triplets.rows[k];
    sorted.cols[position] = triplets.cols[k];
    sorted.values[position] = triplets.values[k];
  }
  triplets.rows = std::move(sorted.rows);
  triplets.cols = std::move(sorted.cols);
  triplets.values = std::move(sorted.values);
}

/// Closes the gaps that summed duplicates left: column j holds its entries in [column_offsets[j], column_ends[j]).
template <class S>
void close_gaps(const std::vector<Count>& column_ends, SparseMatrix<S>& matrix) {
  std::size_t end = 0;
  for (Index j = 0; j < matrix.num_cols; ++j) {
    const std::size_t begin = at(matrix.column_offsets[at(j)]);
    matrix.column_offsets[at(j)] = static_cast<Count>(end);
    for (std::size_t k = begin; k < at(column_ends[at(j)]); ++k, ++end) {
      matrix.row_indices[end] = matrix.row_indices[k];
      matrix.values[end] = matrix.values[k];
    }
  }
  matrix.column_offsets[at(matrix.num_cols)] = static_cast<Count>(end);
  matrix.row_indices.resize(end);
  matrix.values.resize(end);
}

/// Distributes entries sorted by row to their columns; duplicates meet at the end of their column and are added there.
template <class S>
void gather_columns(const Triplets<S>& triplets, SparseMatrix<S>& matrix) {
  matrix.column_offsets = offsets_of(triplets.cols, triplets.num_cols);
  matrix.row_indices.resize(triplets.rows.size());
  matrix.values.resize(triplets.values.size());
  std::vector<Count> column_ends(matrix.column_offsets.begin(), matrix.column_offsets.end() - 1);
  for (std::size_t k = 0; k < triplets.rows.size(); ++k) {
    const std::size_t col = at(triplets.cols[k]);
    const std::size_t end = at(column_ends[col]);
    if (column_ends[col] > matrix.column_offsets[col] && matrix.row_indices[end - 1] == triplets.rows[k]) {
      matrix.values[end - 1] += triplets.values[k];
    } else {
      matrix.row_indices[end] = triplets.rows[k];
      matrix.values[end] = triplets.values[k];
      ++column_ends[col];
    }
  }
  close_gaps(column_ends, matrix);
}

}  // namespace

template <Scalar S>
SparseMatrix<S> compress(Triplets<S> triplets) {
  check_entries(triplets);
  SparseMatrix<S> matrix;
  matrix.num_rows = triplets.num_rows;
  matrix.num_cols = triplets.num_cols;
  matrix.symmetry = triplets.symmetry;
  if (is_sorted_and_unique(triplets)) {
    matrix.column_offsets = offsets_of(triplets.cols, triplets.num_cols);
    matrix.row_indices = std::move(triplets.rows);
    matrix.values = std::move(triplets.values);
  } else {
    sort_by_row(triplets);
    gather_columns(triplets, matrix);
  }
  return matrix;
}

template <Scalar S>
SparseMatrix<S> expand_to_general(const MatrixView<S>& matrix) {
  const PatternView& pattern = matrix.pattern;
  Triplets<S> triplets;
  triplets.num_rows = pattern.num_rows;
  triplets.num_cols = pattern.num_cols;
  for (Index j = 0; j < pattern.num_cols; ++j) {
    for (Count k = pattern.column_offsets[at(j)]; k < pattern.column_offsets[at(j) + 1]; ++k) {
      const Index i = pattern.row_indices[at(k)];
      const S value = matrix.values[at(k)];
      triplets.add(i, j, value);
      if (pattern.symmetry != Symmetry::general && i != j) {
        triplets.add(j, i, mirrored(pattern.symmetry, value));
      }
    }
  }
  return compress(std::move(triplets));
}

template <Scalar S>
SparseMatrix<S> transpose(const MatrixView<S>& matrix) {
  const PatternView& pattern = matrix.pattern;
  if (pattern.symmetry != Symmetry::general) {
    throw UsageError("transpose() wants a general matrix; expand a symmetric one first");
  }
  SparseMatrix<S> result;
  result.num_rows = pattern.num_cols;
  result.num_cols = pattern.num_rows;
  result.row_indices.resize(pattern.row_indices.size());
  result.values.resize(matrix.values.size());
  result.column_offsets = offsets_of(pattern.row_indices, pattern.num_rows);
  std::vector<Count> next = result.column_offsets;
  for (Index j = 0; j < pattern.num_cols; ++j) {
    for (Count k = pattern.column_offsets[at(j)]; k < pattern.column_offsets[at(j) + 1]; ++k) {
      const std::size_t position = at(next[at(pattern.row_indices[at(k)])]++);
      result.row_indices[position] = j;
      result.values[position] = matrix.values[at(k)];
    }
  }
  return result;
}

#define FROND_INSTANTIATE(S)                                        \
  template SparseMatrix<S> compress(Triplets<S>);                   \
  template SparseMatrix<S> expand_to_general(const MatrixView<S>&); \
  template SparseMatrix<S> transpose(const MatrixView<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
