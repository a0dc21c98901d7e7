// SPDX-License-Identifier: BSD-3-Clause
// Multiplies pivots, and divides by scales.
#include "factorization/pivot_determinant.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace frond {
namespace {

// Of the 2x2 pivot at position k, in units of its largest entry.
template <Scalar S>
Determinant determinant_of_two(const FrontFactor<S>& front, Method method, Index k) {
  const std::complex<double> d11 = front.d[2 * k];
  const std::complex<double> d21 = front.d[2 * k + 1];
  const std::complex<double> d22 = front.d[2 * k + 2];
  const std::complex<double> d12 = method == Method::ldlh ? std::conj(d21) : d21;
  const double largest = std::max({std::abs(d11), std::abs(d21), std::abs(d22)});
  Determinant determinant((d11 / largest) * (d22 / largest) - (d21 / largest) * (d12 / largest));
  determinant *= Determinant(largest);
  determinant *= Determinant(largest);
  return determinant;
}

}  // namespace

template <Scalar S>
Determinant determinant_of_pivots(const FrontFactor<S>& front, Method method, Count num_exchanges) {
  Determinant determinant;
  const bool is_on_diagonal = method == Method::cholesky || method == Method::lu;
  for (Index k = 0; k < front.num_eliminated; ++k) {
    if (method != Method::cholesky && front.pivots[k] == PivotKind::null) {
      return Determinant(0);
    }
    if (is_on_diagonal) {
      const Determinant diagonal(front.lower[front.layout.column_offset(k) + k]);
      determinant *= diagonal;
      if (method == Method::cholesky) {
        determinant *= diagonal;
      }
    } else if (front.pivots[k] == PivotKind::one_by_one) {
      determinant *= Determinant(front.d[2 * k]);
    } else if (front.pivots[k] == PivotKind::two_by_two) {
      determinant *= determinant_of_two(front, method, k);
    }
  }
  if (num_exchanges % 2 != 0) {
    determinant.negate();
  }
  if (method == Method::cholesky || method == Method::ldlh) {
    determinant.mantissa.imag(0);  // all but rounding
  }
  return determinant;
}

template <Scalar S>
void divide_by_scales(const FrontFactor<S>& front, const ScaledValues<S>& matrix, Determinant& determinant) {
  if (matrix.row_scaling.empty()) {
    return;
  }
  for (Index k = 0; k < front.num_eliminated; ++k) {
    determinant /= matrix.row_scaling[static_cast<std::size_t>(front.row_variables[k])];
    determinant /= matrix.col_scaling[static_cast<std::size_t>(front.col_variables[k])];
  }
}

template Determinant determinant_of_pivots(const FrontFactor<float>&, Method, Count);
template Determinant determinant_of_pivots(const FrontFactor<double>&, Method, Count);
template Determinant determinant_of_pivots(const FrontFactor<std::complex<float>>&, Method, Count);
template Determinant determinant_of_pivots(const FrontFactor<std::complex<double>>&, Method, Count);
template void divide_by_scales(const FrontFactor<float>&, const ScaledValues<float>&, Determinant&);
template void divide_by_scales(const FrontFactor<double>&, const ScaledValues<double>&, Determinant&);
template void divide_by_scales(const FrontFactor<std::complex<float>>&, const ScaledValues<std::complex<float>>&, Determinant&);
template void divide_by_scales(const FrontFactor<std::complex<double>>&, const ScaledValues<std::complex<double>>&, Determinant&);

}  // namespace frond
