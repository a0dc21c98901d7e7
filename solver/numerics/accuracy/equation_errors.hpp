// SPDX-License-Identifier: BSD-3-Clause
// Measures backward errors of single equations, when the total error does not decide whether x is accurate.
#pragma once

#include <span>

#include "frond/matrix.hpp"
#include "solver/numerics/problem/report.hpp"

namespace frond {

/// op(A) x = b with a computed x, and its measurements so far.
template <Scalar S>
struct MeasuredEquations {
  const MatrixView<S>& matrix;
  Operation operation;
  std::span<const S> b;
  std::span<const S> x;
  /// The last change of x, by a correction of about the size of its errors; empty: none was made. Unknowns that it exceeds are
  /// rounding errors, and so are those at the end of the range of numbers.
  std::span<const S> correction;
  std::span<const RealOf<S>> scales;    ///< the scales of unknowns, see ErrorScale; empty: ones
  std::span<const RealOf<S>> products;  ///< |op(A)| |x|
  std::span<S> residual;                ///< b - op(A) x
};

/// Fills in the fields of ColumnReport about single equations, componentwise_backward_error included; `whole` is ||A|| ||x|| +
/// ||b||. Equations that leave the range of R are measured again in a wider one, and their residuals are corrected. Returns the
/// largest residual. O(entries).
template <Scalar S>
[[nodiscard]] long double measure_equations(const MeasuredEquations<S>& equations, long double whole, ColumnReport& report);

/// Whether (|A| |x| + |b|)_i is so small, or so large, that terms of the equation may have left the range of R.
template <class R>
inline constexpr R kLeastEquationSize = std::numeric_limits<R>::min() /
                                        (std::numeric_limits<R>::epsilon() * std::numeric_limits<R>::epsilon() *
                                         std::numeric_limits<R>::epsilon());

/// |residual| / size with 0 / 0 = 0, infinite when it is NaN.
[[nodiscard]] double error_ratio(long double residual, long double size);

}  // namespace frond
