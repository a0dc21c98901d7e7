// SPDX-License-Identifier: BSD-3-Clause
// Backward errors of single equations, where those of all together do not settle whether x is accurate.
#pragma once

#include <span>

#include "frond/matrix.hpp"
#include "solver/numerics/problem/report.hpp"

namespace frond {

/// op(A) x = b with a computed x, and what has been measured of it so far.
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

/// Fills in what ColumnReport says of single equations, componentwise_backward_error included; `whole` is ||A|| ||x|| + ||b||.
/// Equations that leave the range of R are measured again in a wider one, and their residuals are replaced by the right ones.
/// Returns the largest residual. O(entries).
template <Scalar S>
[[nodiscard]] long double measure_equations(const MeasuredEquations<S>& equations, long double whole, ColumnReport& report);

/// Whether (|A| |x| + |b|)_i is so small, or so large, that terms of the equation may have left the range of R.
template <class R>
inline constexpr R kLeastEquationSize = std::numeric_limits<R>::min() /
                                        (std::numeric_limits<R>::epsilon() * std::numeric_limits<R>::epsilon() *
                                         std::numeric_limits<R>::epsilon());

/// |residual| / size with 0 / 0 = 0, infinite when it is no number.
[[nodiscard]] double error_ratio(long double residual, long double size);

}  // namespace frond
