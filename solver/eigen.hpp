// SPDX-License-Identifier: BSD-3-Clause
// Sparse matrices of Eigen as matrices of linear systems. The only header of Frond that includes Eigen.
#pragma once

#include <Eigen/SparseCore>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "matrices/error.hpp"
#include "solver/problem/system_matrix.hpp"

namespace frond {

/// An Eigen::SparseMatrix, by columns or by rows, as the matrix of a linear system. The values are not copied, and of the two index
/// arrays only the one whose type is not Frond's: the n + 1 offsets when Eigen's index is 32 bits wide, the inner indices when it
/// is 64. The Eigen matrix must outlive this object, and this object what is made from system().
template <Scalar S, int Options, class StorageIndex>
class EigenSystem {
 public:
  using Matrix = Eigen::SparseMatrix<S, Options, StorageIndex>;

  /// When `symmetry` is not general, `matrix` holds one triangle. Throws UsageError for a matrix that is not compressed, not square
  /// or of an order above 2^31 - 1.
  explicit EigenSystem(const Matrix& matrix, Symmetry symmetry = Symmetry::general) : matrix_(matrix), symmetry_(symmetry) {
    check();
    if constexpr (!std::is_same_v<StorageIndex, Count>) {
      offsets_.assign(matrix.outerIndexPtr(), matrix.outerIndexPtr() + matrix.outerSize() + 1);
    }
    if constexpr (!std::is_same_v<StorageIndex, Index>) {
      indices_.assign(matrix.innerIndexPtr(), matrix.innerIndexPtr() + matrix.nonZeros());
    }
  }

  [[nodiscard]] SystemMatrix<S> system() const {
    const auto order = static_cast<Index>(matrix_.cols());
    const PatternView pattern{order, order, symmetry_, offsets(), indices()};
    return {MatrixView<S>{pattern, {matrix_.valuePtr(), static_cast<std::size_t>(matrix_.nonZeros())}}, bool(Matrix::IsRowMajor)};
  }

 private:
  void check() const {
    if (!matrix_.isCompressed()) {
      throw UsageError("the Eigen matrix is not compressed: call makeCompressed() first");
    }
    if (matrix_.rows() != matrix_.cols()) {
      throw UsageError("the Eigen matrix is " + std::to_string(matrix_.rows()) + " by " + std::to_string(matrix_.cols()) +
                       ", but only a square one can be factorized");
    }
    if (matrix_.cols() > std::numeric_limits<Index>::max()) {
      throw UsageError("the Eigen matrix has " + std::to_string(matrix_.cols()) +
                       " columns, more than the largest order, 2147483647");
    }
  }

  [[nodiscard]] std::span<const Count> offsets() const {
    if constexpr (std::is_same_v<StorageIndex, Count>) {
      return {matrix_.outerIndexPtr(), static_cast<std::size_t>(matrix_.outerSize()) + 1};
    } else {
      return offsets_;
    }
  }

  [[nodiscard]] std::span<const Index> indices() const {
    if constexpr (std::is_same_v<StorageIndex, Index>) {
      return {matrix_.innerIndexPtr(), static_cast<std::size_t>(matrix_.nonZeros())};
    } else {
      return indices_;
    }
  }

  const Matrix& matrix_;
  Symmetry symmetry_;
  std::vector<Count> offsets_;  // empty when Eigen's own serve
  std::vector<Index> indices_;  // likewise
};

}  // namespace frond
