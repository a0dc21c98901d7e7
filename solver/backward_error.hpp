// SPDX-License-Identifier: BSD-3-Clause
// How far a computed x is from solving A x = b, measured with the original matrix.
#pragma once

#include <span>
#include <vector>

#include "matrices/products.hpp"
#include "solver/report.hpp"

namespace frond {

/// What backward errors of op(A) x = b are measured against, whoever multiplies.
template <Scalar S>
class ErrorScale {
 public:
  using R = RealOf<S>;

  explicit ErrorScale(std::vector<R> row_sums);  ///< of |op(A)|

  /// Both errors of ColumnReport, from b, x, residual = b - op(A) x and products = |op(A)| |x|; infinite when anything is not
  /// finite. O(order).
  [[nodiscard]] ColumnReport measure(std::span<const S> b, std::span<const S> x, std::span<const S> residual,
                                     std::span<const R> products) const;

  [[nodiscard]] std::span<const R> equation_sizes() const { return row_sums_; }

 private:
  [[nodiscard]] double normwise(std::span<const S> b, std::span<const S> residual, R largest_x) const;
  [[nodiscard]] double componentwise(std::span<const S> b, std::span<const S> residual, std::span<const R> products,
                                     R largest_x) const;

  std::vector<R> row_sums_;
  R norm_;  // the largest of them
};

/// Residuals and backward errors for op(A) x = b, in the working precision. Immutable; several threads may measure at once.
template <Scalar S>
class BackwardErrorMeter {
 public:
  /// The arrays of `matrix` must outlive this object. O(entries).
  BackwardErrorMeter(const MatrixView<S>& matrix, Operation operation);

  /// residual := b - op(A) x. Fills in both errors of ColumnReport. O(entries).
  [[nodiscard]] ColumnReport measure(std::span<const S> b, std::span<const S> x, std::span<S> residual) const;

  [[nodiscard]] std::span<const RealOf<S>> equation_sizes() const { return scale_.equation_sizes(); }  ///< of |op(A)|

 private:
  MatrixView<S> matrix_;
  Operation operation_;
  ErrorScale<S> scale_;
};

/// The sums of magnitudes of the rows of op(A).
template <Scalar S>
[[nodiscard]] std::vector<RealOf<S>> row_sums(const MatrixView<S>& matrix, Operation operation);

}  // namespace frond
