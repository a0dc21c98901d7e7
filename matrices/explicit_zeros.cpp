// SPDX-License-Identifier: BSD-3-Clause
// Counts and removes explicit zeros in one pass over the entries.
#include "matrices/explicit_zeros.hpp"

#include <fmt/core.h>

#include <algorithm>

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
  template SparseMatrix<S> without_zeros(const MatrixView<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
