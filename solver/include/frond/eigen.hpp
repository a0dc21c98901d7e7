// SPDX-License-Identifier: BSD-3-Clause
// Wraps sparse matrices of Eigen as matrices of linear systems. The only header of Frond that includes Eigen.
#pragma once

#include <Eigen/SparseCore>
#include <cstddef>
#include <frond/error.hpp>
#include <frond/matrix.hpp>
#include <frond/types.hpp>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace frond {

/// Views a column- or row-major matrix of Eigen, which must outlive everything made from the view. The values are not copied, and
/// of the two index arrays only the one whose type is not Frond's: the n + 1 offsets when Eigen's index is 32 bits wide, the inner
/// indices when it is 64. When `symmetry` is not general, `matrix` holds one triangle. Throws UsageError for a matrix that is not
/// compressed, not square or of an order above 2^31 - 1.
///
///   const frond::SystemMatrix system = frond::from_eigen(matrix);
///   const frond::Factorization<double> factorization(frond::analyze(system), system);
template <Scalar S, int Options, class StorageIndex>
[[nodiscard]] SystemMatrix<S> from_eigen(const Eigen::SparseMatrix<S, Options, StorageIndex>& matrix,
                                         Symmetry symmetry = Symmetry::general) {
  if (!matrix.isCompressed()) {
    throw UsageError("the Eigen matrix is not compressed: call makeCompressed() first");
  }
  if (matrix.rows() != matrix.cols()) {
    throw UsageError("the Eigen matrix is " + std::to_string(matrix.rows()) + " by " + std::to_string(matrix.cols()) +
                     ", but only a square one can be factorized");
  }
  if (matrix.cols() > std::numeric_limits<Index>::max()) {
    throw UsageError("the Eigen matrix has " + std::to_string(matrix.cols()) + " columns, more than the largest order, 2147483647");
  }
  const auto converted = std::make_shared<std::pair<std::vector<Count>, std::vector<Index>>>();
  const std::span offsets(matrix.outerIndexPtr(), static_cast<std::size_t>(matrix.outerSize()) + 1);
  const std::span indices(matrix.innerIndexPtr(), static_cast<std::size_t>(matrix.nonZeros()));
  const auto order = static_cast<Index>(matrix.cols());
  PatternView pattern{order, order, symmetry, {}, {}};
  if constexpr (std::is_same_v<StorageIndex, Count>) {
    pattern.column_offsets = offsets;
  } else {
    converted->first.assign(offsets.begin(), offsets.end());
    pattern.column_offsets = converted->first;
  }
  if constexpr (std::is_same_v<StorageIndex, Index>) {
    pattern.row_indices = indices;
  } else {
    converted->second.assign(indices.begin(), indices.end());
    pattern.row_indices = converted->second;
  }
  SystemMatrix<S> system(MatrixView<S>{pattern, {matrix.valuePtr(), indices.size()}},
                         bool(Eigen::SparseMatrix<S, Options, StorageIndex>::IsRowMajor));
  system.converted_arrays = converted;
  return system;
}

/// A temporary's values would dangle.
template <Scalar S, int Options, class StorageIndex>
SystemMatrix<S> from_eigen(const Eigen::SparseMatrix<S, Options, StorageIndex>&& matrix, Symmetry symmetry = {}) = delete;

}  // namespace frond
