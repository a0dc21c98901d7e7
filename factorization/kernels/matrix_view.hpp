// SPDX-License-Identifier: BSD-3-Clause
// Views of whole dense matrices.
#pragma once

#include <algorithm>

#include "factorization/kernels/dense_view.hpp"
#include "matrices/dense_matrix.hpp"

namespace frond {

/// All entries of the matrix, which must outlive the view.
template <Scalar S>
[[nodiscard]] DenseView<S> view_of(DenseMatrix<S>& matrix) {
  return {matrix.values.data(), matrix.num_rows, matrix.num_cols, std::max(matrix.num_rows, Index{1})};
}
template <Scalar S>
[[nodiscard]] DenseView<const S> view_of(const DenseMatrix<S>& matrix) {
  return {matrix.values.data(), matrix.num_rows, matrix.num_cols, std::max(matrix.num_rows, Index{1})};
}

}  // namespace frond
