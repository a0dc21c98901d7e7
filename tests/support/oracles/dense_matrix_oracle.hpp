// SPDX-License-Identifier: BSD-3-Clause
// Expands sparse matrices into dense references, entry by entry.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

#include "frond/dense.hpp"
#include "frond/matrix.hpp"
#include "matrices/products.hpp"

namespace frond {

/// All entries of the matrix, both triangles.
template <Scalar S>
DenseMatrix<S> to_dense(const MatrixView<S>& matrix) {
  const PatternView& pattern = matrix.pattern;
  DenseMatrix<S> dense(pattern.num_rows, pattern.num_cols);
  for (Index j = 0; j < pattern.num_cols; ++j) {
    const Count end = pattern.column_offsets[static_cast<std::size_t>(j) + 1];
    for (Count k = pattern.column_offsets[j]; k < end; ++k) {
      const Index i = pattern.row_indices[k];
      const S value = matrix.values[k];
      dense(i, j) += value;
      if (i != j && pattern.symmetry == Symmetry::symmetric) {
        dense(j, i) += value;
      }
      if (i != j && pattern.symmetry == Symmetry::skew_symmetric) {
        dense(j, i) -= value;
      }
      if (i != j && pattern.symmetry == Symmetry::hermitian) {
        dense(j, i) += conjugate(value);
      }
    }
  }
  return dense;
}

/// op(A).
template <Scalar S>
DenseMatrix<S> dense_operation(Operation operation, const DenseMatrix<S>& matrix) {
  if (operation == Operation::plain) {
    return matrix;
  }
  DenseMatrix<S> result(matrix.num_cols, matrix.num_rows);
  for (Index i = 0; i < matrix.num_rows; ++i) {
    for (Index j = 0; j < matrix.num_cols; ++j) {
      result(j, i) = operation == Operation::adjoint ? conjugate(matrix(i, j)) : matrix(i, j);
    }
  }
  return result;
}

/// Computes A x by the definition.
template <Scalar S>
std::vector<S> dense_product(const DenseMatrix<S>& matrix, const std::vector<S>& x) {
  std::vector<S> y(static_cast<std::size_t>(matrix.num_rows));
  for (Index i = 0; i < matrix.num_rows; ++i) {
    for (Index j = 0; j < matrix.num_cols; ++j) {
      y[i] += matrix(i, j) * x[j];
    }
  }
  return y;
}

/// max_i |a_i - b_i| for vectors of equal length.
template <Scalar S>
RealOf<S> largest_difference(const std::vector<S>& a, const std::vector<S>& b) {
  RealOf<S> largest{};
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
  }
  return largest;
}

}  // namespace frond
