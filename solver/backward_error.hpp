// SPDX-License-Identifier: BSD-3-Clause
// How far a computed x is from solving A x = b, measured with the original matrix.
#pragma once

#include <span>
#include <vector>

#include "matrices/products.hpp"
#include "solver/report.hpp"

namespace frond {

/// Residuals and backward errors for op(A) x = b, in the working precision. Immutable; several threads may measure at once.
template <Scalar S>
class BackwardErrorMeter {
 public:
  /// The arrays of `matrix` must outlive this object. O(entries).
  BackwardErrorMeter(const MatrixView<S>& matrix, Operation operation);

  /// residual := b - op(A) x. Fills in both errors of ColumnReport; they are infinite when anything is not finite. O(entries).
  [[nodiscard]] ColumnReport measure(std::span<const S> b, std::span<const S> x, std::span<S> residual) const;

 private:
  using R = RealOf<S>;

  [[nodiscard]] double normwise(std::span<const S> b, std::span<const S> residual, R largest_x) const;
  [[nodiscard]] double componentwise(std::span<const S> b, std::span<const S> x, std::span<const S> residual, R largest_x) const;

  MatrixView<S> matrix_;
  Operation operation_;
  std::vector<R> row_sums_;  // of |op(A)|
  R norm_;                   // the largest of them
};

}  // namespace frond
