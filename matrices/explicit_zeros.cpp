// SPDX-License-Identifier: BSD-3-Clause
// Counts and removes explicit zeros in one pass over the entries.
#include "matrices/explicit_zeros.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace frond {
namespace {

// Calls see(row, column, value) for each entry.
template <Scalar S, class See>
void for_each_entry(const MatrixView<S>& matrix, const See& see) {
  const PatternView& pattern = matrix.pattern;
  for (Index j = 0; j < pattern.num_cols; ++j) {
    const auto end = static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(j) + 1]);
    for (auto k = static_cast<std::size_t>(pattern.column_offsets[j]); k < end; ++k) {
      see(pattern.row_indices[k], j, matrix.values[k]);
    }
  }
}

// Scatters the bits of a number (Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators", OOPSLA).
std::uint64_t scattered(Index number) {
  std::uint64_t bits = (static_cast<std::uint64_t>(number) + 1) * 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31U);
}

// The number of groups of variables that have the same neighbours, themselves included, among entries for which takes(value).
template <Scalar S, class Takes>
std::ptrdiff_t num_groups(const MatrixView<S>& matrix, const Takes& takes) {
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(matrix.pattern.num_cols));       // of what stands for each neighbour
  const std::uint64_t num_mentions = matrix.pattern.symmetry == Symmetry::general ? 2 : 1;  // of a neighbour
  for (Index j = 0; j < matrix.pattern.num_cols; ++j) {
    sums[j] = num_mentions * scattered(j);
  }
  for_each_entry(matrix, [&](Index row, Index col, S value) {
    if (row != col && takes(value)) {
      sums[row] += scattered(col);
      sums[col] += scattered(row);
    }
  });
  std::ranges::sort(sums);
  return std::unique(sums.begin(), sums.end()) - sums.begin();
}

}  // namespace

template <Scalar S>
Count count_zeros_off_diagonal(const MatrixView<S>& matrix) {
  Count count = 0;
  for_each_entry(matrix, [&count](Index row, Index col, S value) { count += value == S(0) && row != col ? 1 : 0; });
  return count;
}

template <Scalar S>
Count count_zeros(const MatrixView<S>& matrix) {
  return std::count(matrix.values.begin(), matrix.values.end(), S(0));
}

template <Scalar S>
Count count_needless_zeros(const MatrixView<S>& matrix) {
  const Count num_zeros = count_zeros(matrix);
  if (num_zeros == 0 || 2 * num_zeros > matrix.pattern.num_entries() || matrix.pattern.num_rows != matrix.pattern.num_cols) {
    return num_zeros;
  }
  const std::ptrdiff_t with_zeros = num_groups(matrix, [](S /*value*/) { return true; });
  return 2 * with_zeros <= num_groups(matrix, [](S value) { return value != S(0); }) ? 0 : num_zeros;
}

std::string left_out_note(Count num_zeros) { return fmt::format("explicit zeros of the matrix that were left out: {}", num_zeros); }

template <Scalar S>
SparseMatrix<S> without_zeros(const MatrixView<S>& matrix) {
  SparseMatrix<S> result{matrix.pattern.num_rows, matrix.pattern.num_cols, matrix.pattern.symmetry, {}, {}, {}};
  result.column_offsets.assign(static_cast<std::size_t>(matrix.pattern.num_cols) + 1, 0);
  const auto num_kept = static_cast<std::size_t>(matrix.pattern.num_entries() - count_zeros(matrix));
  result.row_indices.reserve(num_kept);
  result.values.reserve(num_kept);
  for_each_entry(matrix, [&result](Index row, Index col, S value) {
    if (value != S(0)) {
      result.row_indices.push_back(row);
      result.values.push_back(value);
    }
    result.column_offsets[static_cast<std::size_t>(col) + 1] = result.num_entries();
  });
  for (std::size_t j = 1; j < result.column_offsets.size(); ++j) {  // columns without entries
    result.column_offsets[j] = std::max(result.column_offsets[j], result.column_offsets[j - 1]);
  }
  return result;
}

#define FROND_INSTANTIATE(S)                                     \
  template Count count_zeros_off_diagonal(const MatrixView<S>&); \
  template Count count_zeros(const MatrixView<S>&);              \
  template Count count_needless_zeros(const MatrixView<S>&);     \
  template SparseMatrix<S> without_zeros(const MatrixView<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
