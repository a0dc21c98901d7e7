// SPDX-License-Identifier: BSD-3-Clause
// Compresses triplets to columns with several threads: a counting sort by column, then each column by row.
#include <algorithm>
#include <atomic>
#include <complex>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "matrices/large_triplets.hpp"
#include "matrices/parallel.hpp"
#include "matrices/position.hpp"

namespace frond {
namespace {

/// True if the entries are sorted by column, then row, without duplicates.
template <Scalar S>
bool is_sorted_and_unique(const LargeTriplets<S>& triplets, int num_threads) {
  const std::size_t size = triplets.rows.size();
  const std::size_t pieces = num_pieces(triplets.num_entries(), num_threads);
  std::atomic<bool> is_sorted = true;
  for_each_piece(pieces, num_threads, [&](std::size_t piece) {
    const std::size_t end = piece_begin(size, piece + 1, pieces);
    for (std::size_t k = std::max<std::size_t>(1, piece_begin(size, piece, pieces)); k < end; ++k) {
      const bool in_order = triplets.cols[k - 1] < triplets.cols[k] ||
                            (triplets.cols[k - 1] == triplets.cols[k] && triplets.rows[k - 1] < triplets.rows[k]);
      if (!in_order) {
        is_sorted = false;
        return;
      }
    }
  });
  return is_sorted;
}

/// Returns the column offsets of entries sorted by column.
std::vector<Count> offsets_of_sorted(const LargeVector<Index>& cols, Index num_cols, int num_threads) {
  std::vector<Count> offsets(at(num_cols) + 1, 0);
  const std::size_t pieces = num_pieces(static_cast<Count>(cols.size()), num_threads);
  for_each_piece(pieces, num_threads, [&](std::size_t piece) {
    const std::size_t end = piece_begin(cols.size(), piece + 1, pieces);
    for (std::size_t k = piece_begin(cols.size(), piece, pieces); k < end; ++k) {
      const std::size_t first = k == 0 ? 0 : at(cols[k - 1]) + 1;
      std::fill(offsets.begin() + first, offsets.begin() + cols[k] + 1, static_cast<Count>(k));
    }
  });
  const std::size_t last = cols.empty() ? 0 : at(cols.back()) + 1;
  std::fill(offsets.begin() + last, offsets.end(), static_cast<Count>(cols.size()));
  return offsets;
}

/// Entries grouped by column, each column in the order in which its entries were given.
template <Scalar S>
struct Columns {
  std::vector<Count> offsets;
  LargeVector<Index> rows;
  LargeVector<S> values;
};

// Counts the entries of each piece separately, so that every piece knows where its entries go.
template <Scalar S>
Columns<S> sorted_by_column(const LargeTriplets<S>& triplets, int num_threads) {
  const std::size_t size = triplets.rows.size();
  const std::size_t width = at(triplets.num_cols);
  // The counts must not take more memory than the entries.
  const std::size_t most_pieces = std::max<std::size_t>(1, size / std::max<std::size_t>(1, width));
  const std::size_t pieces = std::min(num_pieces(triplets.num_entries(), num_threads), most_pieces);
  std::vector<Count> next(pieces * width, 0);  // [piece][column]
  for_each_piece(pieces, num_threads, [&](std::size_t piece) {
    const std::span<Count> counts = std::span(next).subspan(piece * width, width);
    for (std::size_t k = piece_begin(size, piece, pieces); k < piece_begin(size, piece + 1, pieces); ++k) {
      ++counts[at(triplets.cols[k])];
    }
  });
  Columns<S> columns{std::vector<Count>(width + 1), LargeVector<Index>(size), LargeVector<S>(size)};
  Count position = 0;
  for (std::size_t j = 0; j < width; ++j) {
    columns.offsets[j] = position;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      position += std::exchange(next[piece * width + j], position);
    }
  }
  columns.offsets[width] = position;
  for_each_piece(pieces, num_threads, [&](std::size_t piece) {
    const std::span<Count> places = std::span(next).subspan(piece * width, width);
    for (std::size_t k = piece_begin(size, piece, pieces); k < piece_begin(size, piece + 1, pieces); ++k) {
      const std::size_t place = at(places[at(triplets.cols[k])]++);
      columns.rows[place] = triplets.rows[k];
      columns.values[place] = triplets.values[k];
    }
  });
  return columns;
}

/// Sorts a short column by row; entries at the same position keep their order.
template <Scalar S>
void insertion_sort(std::span<Index> rows, std::span<S> values) {
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const Index row = rows[k];
    const S value = values[k];
    std::size_t place = k;
    for (; place > 0 && rows[place - 1] > row; --place) {
      rows[place] = rows[place - 1];
      values[place] = values[place - 1];
    }
    rows[place] = row;
    values[place] = value;
  }
}

/// Does the same for a column of any length.
template <Scalar S>
void sort_by_row(std::span<Index> rows, std::span<S> values, std::vector<std::pair<Index, S>>& entries) {
  constexpr std::size_t kShort = 32;
  if (rows.size() <= kShort) {
    insertion_sort(rows, values);
    return;
  }
  entries.clear();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    entries.emplace_back(rows[k], values[k]);
  }
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k] = entries[k].first;
    values[k] = entries[k].second;
  }
}

/// Sorts a column by row and sums duplicates in their order. Returns the number of entries left.
template <Scalar S>
std::size_t tidy_column(std::span<Index> rows, std::span<S> values, std::vector<std::pair<Index, S>>& entries) {
  if (std::adjacent_find(rows.begin(), rows.end(), std::greater_equal<>()) == rows.end()) {
    return rows.size();
  }
  sort_by_row(rows, values, entries);
  std::size_t end = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (end > 0 && rows[end - 1] == rows[k]) {
      values[end - 1] += values[k];
    } else {
      rows[end] = rows[k];
      values[end++] = values[k];
    }
  }
  return end;
}

/// Returns the number of entries that each column keeps.
template <Scalar S>
std::vector<Count> tidy_columns(Columns<S>& columns, int num_threads) {
  const std::size_t width = columns.offsets.size() - 1;
  std::vector<Count> kept(width);
  const std::size_t pieces = std::min(num_pieces(columns.offsets.back(), num_threads), std::max<std::size_t>(1, width));
  for_each_piece(pieces, num_threads, [&](std::size_t piece) {
    std::vector<std::pair<Index, S>> entries;
    for (std::size_t j = piece_begin(width, piece, pieces); j < piece_begin(width, piece + 1, pieces); ++j) {
      const std::size_t begin = at(columns.offsets[j]);
      const std::size_t length = at(columns.offsets[j + 1]) - begin;
      kept[j] = static_cast<Count>(tidy_column<S>(std::span(columns.rows).subspan(begin, length),
                                                  std::span(columns.values).subspan(begin, length), entries));
    }
  });
  return kept;
}

/// Closes the gaps that summed duplicates left.
template <Scalar S>
void close_gaps(const std::vector<Count>& kept, Columns<S>& columns) {
  std::size_t end = 0;
  for (std::size_t j = 0; j < kept.size(); ++j) {
    const std::size_t begin = at(std::exchange(columns.offsets[j], static_cast<Count>(end)));
    for (std::size_t k = begin; k < begin + at(kept[j]); ++k, ++end) {
      columns.rows[end] = columns.rows[k];
      columns.values[end] = columns.values[k];
    }
  }
  columns.offsets.back() = static_cast<Count>(end);
  columns.rows.resize(end);
  columns.values.resize(end);
}

/// Copies the arrays to those that the matrix owns, one thread per array.
template <Scalar S>
void copy_to(const LargeVector<Index>& rows, const LargeVector<S>& values, SparseMatrix<S>& matrix, int num_threads) {
  const bool is_small = static_cast<Count>(rows.size()) < kLeastPiece;
  for_each_piece(is_small ? 1 : 2, num_threads, [&](std::size_t piece) {
    if (is_small || piece == 0) {
      matrix.row_indices.assign(rows.begin(), rows.end());
    }
    if (is_small || piece == 1) {
      matrix.values.assign(values.begin(), values.end());
    }
  });
}

}  // namespace

template <Scalar S>
SparseMatrix<S> compress_large(LargeTriplets<S> triplets, int num_threads) {
  SparseMatrix<S> matrix;
  matrix.num_rows = triplets.num_rows;
  matrix.num_cols = triplets.num_cols;
  matrix.symmetry = triplets.symmetry;
  if (is_sorted_and_unique(triplets, num_threads)) {
    matrix.column_offsets = offsets_of_sorted(triplets.cols, triplets.num_cols, num_threads);
    triplets.cols = {};
    copy_to(triplets.rows, triplets.values, matrix, num_threads);
    return matrix;
  }
  Columns<S> columns = sorted_by_column(triplets, num_threads);
  triplets = {};
  const std::vector<Count> kept = tidy_columns(columns, num_threads);
  if (std::accumulate(kept.begin(), kept.end(), Count{0}) < columns.offsets.back()) {
    close_gaps(kept, columns);
  }
  copy_to(columns.rows, columns.values, matrix, num_threads);
  matrix.column_offsets = std::move(columns.offsets);
  return matrix;
}

template SparseMatrix<double> compress_large(LargeTriplets<double>, int);
template SparseMatrix<std::complex<double>> compress_large(LargeTriplets<std::complex<double>>, int);

}  // namespace frond
