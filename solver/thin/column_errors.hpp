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
struct QuickSums {
  S rest;             ///< b - A x
  RealOf<S> size;     ///< |A| |x| + |b|
  RealOf<S> row_sum;  ///< of |A|
};

/// Measures x by one pass over the entries in working precision; op(A) is A or A^T. The sums of an equation with k entries are
/// wrong by at most (k + 1) / 2 eps of its terms, so that an error of up to kQuickUnits eps is one of an x that meets the equation;
/// returns nothing if it is larger, or if a term may have left the range of S. `norm` is the largest row sum of |op(A)|, and is
/// found if it is less than 0. `sums` is memory for the order of A. O(entries).
template <Scalar S>
[[nodiscard]] std::optional<ColumnReport> measure_quickly(const MatrixView<S>& matrix, bool is_transposed, RealOf<S>& norm,
                                                          std::span<const S> b, std::span<const S> x, std::span<QuickSums<S>> sums);

inline constexpr double kQuickUnits = 10;

}  // namespace frond
