// SPDX-License-Identifier: BSD-3-Clause
// Checks sparse right-hand sides, and expands blocks of columns.
#include "solver/numerics/sweeps/sparse_sides.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "frond/error.hpp"
#include "solver/numerics/problem/finite.hpp"

namespace frond {

template <Scalar S>
void check_sparse_sides(Index order, Index num_columns, const MatrixView<S>& b) {
  const PatternView& pattern = b.pattern;
  if (pattern.num_rows != order || pattern.num_cols != num_columns) {
    throw UsageError(fmt::format("the matrix has order {} and X has {} columns, but B is {} by {}", order, num_columns,
                                 pattern.num_rows, pattern.num_cols));
  }
  if (pattern.symmetry != Symmetry::general) {
    throw UsageError("B holds one triangle only: right-hand sides are a general matrix");
  }
  const std::span<const Count> offsets = pattern.column_offsets;
  if (offsets.size() != static_cast<std::size_t>(num_columns) + 1 || offsets.front() != 0 ||
      !std::is_sorted(offsets.begin(), offsets.end()) || offsets.back() != static_cast<Count>(pattern.row_indices.size()) ||
      b.values.size() != pattern.row_indices.size()) {
    throw UsageError(fmt::format("the arrays of B do not fit together: {} column offsets for {} columns, {} rows, {} values",
                                 offsets.size(), num_columns, pattern.row_indices.size(), b.values.size()));
  }
  for (std::size_t k = 0; k < b.values.size(); ++k) {
    const Index row = pattern.row_indices[k];
    if (row < 0 || row >= order) {
      throw UsageError(fmt::format("entry {} of B is in row {} (counted from 0), but B has {} rows", k, row, order));
    }
    if (!is_finite(b.values[k])) {
      throw UsageError(fmt::format("entry {} of B, in row {} (counted from 0), is not a finite number", k, row));
    }
  }
}

template <Scalar S>
DenseMatrix<S> dense_columns(const MatrixView<S>& b, Index begin, Index end) {
  DenseMatrix<S> dense(b.pattern.num_rows, end - begin);
  for (Index j = begin; j < end; ++j) {
    for (auto k = static_cast<std::size_t>(b.pattern.column_offsets[j]);
         k < static_cast<std::size_t>(b.pattern.column_offsets[static_cast<std::size_t>(j) + 1]); ++k) {
      dense(b.pattern.row_indices[k], j - begin) += b.values[k];
    }
  }
  return dense;
}

#define FROND_INSTANTIATE(S)                                            \
  template void check_sparse_sides(Index, Index, const MatrixView<S>&); \
  template DenseMatrix<S> dense_columns(const MatrixView<S>&, Index, Index);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
