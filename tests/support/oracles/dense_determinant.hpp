// SPDX-License-Identifier: BSD-3-Clause
// Computes a determinant by a dense LU factorization in double precision, and a bound of the error of a solver's.
#pragma once

#include <algorithm>
#include <cmath>

#include "frond/dense.hpp"
#include "frond/factorization_report.hpp"

namespace frond::test {

struct DenseDeterminant {
  Determinant value;
  double tolerance = 0;  ///< relative, for factors in the precision of the matrix
};

/// Requires order >= 1. The tolerance is 10 n eps times the condition number in the Frobenius norm: det(A + E) / det A = 1 +
/// trace(A^-1 E) + ..., and the trace is at most |A^-1|_F |E|_F.
template <Scalar S>
[[nodiscard]] DenseDeterminant dense_determinant(const DenseMatrix<S>& a);

/// |a - b| / |b|.
[[nodiscard]] inline double relative_difference(const Determinant& a, const Determinant& b) {
  const auto shift = static_cast<int>(std::clamp<Count>(a.exponent - b.exponent, -1000, 1000));
  return a == b ? 0 : std::abs(a.mantissa * std::ldexp(1.0, shift) - b.mantissa) / std::abs(b.mantissa);
}

}  // namespace frond::test
