// SPDX-License-Identifier: BSD-3-Clause
// Measures how far a computed x is from solving A x = b, with the original matrix.
#pragma once

#include <span>
#include <vector>

#include "matrices/products.hpp"
#include "solver/numerics/accuracy/shared_product.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/sweeps/idle_pool.hpp"
#include "solver/numerics/sweeps/unset_array.hpp"

namespace frond {

/// The scale that backward errors of op(A) x = b are measured against, however the products are computed.
template <Scalar S>
class ErrorScale {
 public:
  using R = RealOf<S>;

  /// `row_sums` of op(A), and of op(A) D, D = diag(scales) being such that D^-1 x is well scaled: the column scaling of an
  /// equilibrated op(A), say. The arrays of `matrix` and `scales` must outlive this object.
  ErrorScale(const MatrixView<S>& matrix, Operation operation, RowSums<R> row_sums, std::span<const R> scales);

  /// residual := b - product, with product = op(A) x, whose high part may be the same memory, and products = |op(A)| |x|. The
  /// residual is rounded once. Fills in the backward errors of ColumnReport; infinite when x or b is not finite. `correction` is
  /// the last change of x by a solve for its residual; without one no equation counts as among rounding errors. O(order), and
  /// O(entries) if an equation has a larger error than an accurate x allows, or its terms are at the ends of the range.
  [[nodiscard]] ColumnReport measure(std::span<const S> b, std::span<const S> x, const WideVector<const S>& product,
                                     std::span<const R> products, std::span<S> residual, std::span<const S> correction = {}) const;

  /// (|op(A)| |x| + |b|)_i for a finite x, or the row sum of op(A) D if that is 0 or leaves the range. O(entries).
  [[nodiscard]] std::vector<R> sizes(std::span<const S> b, std::span<const S> x) const;

  /// Row sums of op(A) D.
  [[nodiscard]] std::span<const R> equation_sizes() const { return scaled_sums_.empty() ? plain_sums_ : scaled_sums_; }

 private:
  struct Largest;

  [[nodiscard]] Largest subtract(std::span<const S> b, std::span<const S> x, const WideVector<const S>& product,
                                 std::span<S> residual) const;

  MatrixView<S> matrix_;
  Operation operation_;
  std::span<const R> scales_;  // empty: ones
  std::vector<R> plain_sums_;
  std::vector<R> scaled_sums_;  // empty without scales
  R norm_;                      // the largest row sum
};

/// Computes residuals and backward errors for op(A) x = b. Residuals are accumulated in twice the working precision, so that the
/// result is the error of x and not that of the measurement. Immutable; several threads may measure at once.
template <Scalar S>
class BackwardErrorMeter {
 public:
  /// `scales` as for ErrorScale, empty for none. They and the arrays of `matrix` must outlive this object. O(entries).
  BackwardErrorMeter(const MatrixView<S>& matrix, Operation operation, std::span<const RealOf<S>> scales = {});

  /// residual := b - op(A) x. Fills in the errors of ColumnReport, see ErrorScale::measure(). O(entries).
  [[nodiscard]] ColumnReport measure(std::span<const S> b, std::span<const S> x, std::span<S> residual,
                                     std::span<const S> correction = {}) const;

  [[nodiscard]] std::span<const RealOf<S>> equation_sizes() const { return scale_.equation_sizes(); }
  [[nodiscard]] std::vector<RealOf<S>> sizes(std::span<const S> b, std::span<const S> x) const { return scale_.sizes(b, x); }

 private:
  SharedProduct<S> product_;
  ErrorScale<S> scale_;
  struct Memory {
    UnsetArray<RealOf<S>> products;  // |op(A)| |x|, of length order
    UnsetArray<S> low;               // of op(A) x
  };
  mutable IdlePool<Memory> memory_;
};

}  // namespace frond
