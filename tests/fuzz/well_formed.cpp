// SPDX-License-Identifier: BSD-3-Clause
// Checks the invariants of SparseMatrix one by one.
#include "tests/fuzz/well_formed.hpp"

#include <cmath>
#include <cstddef>
#include <cstdlib>

namespace frond {

namespace {

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

template <class S>
void require_entry(const SparseMatrix<S>& matrix, std::size_t k, Index col) {
  const Index row = matrix.row_indices[k];
  const Index first_row = matrix.symmetry == Symmetry::general ? 0 : (matrix.symmetry == Symmetry::skew_symmetric ? col + 1 : col);
  require(row >= first_row && row < matrix.num_rows);
  require(std::isfinite(std::real(matrix.values[k])) && std::isfinite(std::imag(matrix.values[k])));
  require(matrix.symmetry != Symmetry::hermitian || row != col || std::imag(matrix.values[k]) == 0);
}

template <class S>
void require_column(const SparseMatrix<S>& matrix, Index col) {
  const auto begin = static_cast<std::size_t>(matrix.column_offsets[col]);
  const auto end = static_cast<std::size_t>(matrix.column_offsets[static_cast<std::size_t>(col) + 1]);
  require(begin <= end && end <= matrix.row_indices.size());
  for (std::size_t k = begin; k < end; ++k) {
    require(k == begin || matrix.row_indices[k - 1] < matrix.row_indices[k]);
    require_entry(matrix, k, col);
  }
}

template <class S>
void require_matrix(const SparseMatrix<S>& matrix) {
  require(matrix.num_rows >= 0 && matrix.num_cols >= 0);
  require(matrix.symmetry == Symmetry::general || matrix.num_rows == matrix.num_cols);
  require(matrix.column_offsets.size() == static_cast<std::size_t>(matrix.num_cols) + 1);
  require(matrix.column_offsets.front() == 0 && matrix.column_offsets.back() == matrix.num_entries());
  require(matrix.values.size() == matrix.row_indices.size());
  for (Index col = 0; col < matrix.num_cols; ++col) {
    require_column(matrix, col);
  }
}

}  // namespace

void require_well_formed(const AnyMatrix& matrix) {
  std::visit([](const auto& concrete) { require_matrix(concrete); }, matrix);
}

}  // namespace frond
