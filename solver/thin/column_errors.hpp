// SPDX-License-Identifier: BSD-3-Clause
// Measures one right-hand side by one pass over the entries of A.
#pragma once

#include <optional>
#include <span>

#include "frond/matrix.hpp"
#include "frond/report.hpp"

namespace frond {

/// Sums over one equation.
template <Scalar S>
struct EquationSums {
  S high;             ///< b - A x, with twice the digits
  S low;              ///< likewise
  RealOf<S> size;     ///< |A| |x| + |b|
  RealOf<S> row_sum;  ///< of |A|
};

/// residual := b - op(A) x, rounded once; op(A) is A or A^T. Returns the errors of x as ErrorScale::measure() does as long as no
/// equation has a larger one than an accurate x allows; where some have, these are not counted, and may be among rounding
/// errors. Returns nothing if a term may have left the range of S. `sums` is memory for the order of A. O(entries).
template <Scalar S>
[[nodiscard]] std::optional<ColumnReport> measure_column(const MatrixView<S>& matrix, bool is_transposed, std::span<const S> b,
                                                         std::span<const S> x, std::span<S> residual,
                                                         std::span<EquationSums<S>> sums);

}  // namespace frond
