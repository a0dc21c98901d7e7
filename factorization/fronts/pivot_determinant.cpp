// SPDX-License-Identifier: BSD-3-Clause
// Multiplies pivots, and divides by scales.
#include "factorization/fronts/pivot_determinant.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <type_traits>
#include <utility>

namespace frond {
namespace {

// A product of many factors, real or complex. Splitting off the exponent of each would take as long as a small front's elimination:
// it is done when the product, or a factor, leaves the middle of the range.
template <class T>
class Product {
 public:
  void multiply(T factor) {
    if (!is_moderate(factor)) {
      total_ *= Determinant(factor);
      is_in_total_ = true;
      return;
    }
    recent_ *= factor;
    if (!is_moderate(recent_)) {
      total_ *= Determinant(std::exchange(recent_, 1));
      is_in_total_ = true;
    }
  }

  [[nodiscard]] Determinant value() const {
    Determinant value(recent_);
    if (is_in_total_) {
      value *= total_;
    }
    return value;
  }

 private:
  [[nodiscard]] static bool is_moderate(T factor) {
    const double size = std::max(std::abs(std::real(factor)), std::abs(std::imag(factor)));
    return size > 0x1p-500 && size < 0x1p500;
  }

  Determinant total_;
  bool is_in_total_ = false;
  T recent_ = 1;
};

// Type of factors of a scalar type, in double precision.
template <Scalar S>
using Wide = std::conditional_t<kIsComplex<S>, std::complex<double>, double>;

// Multiplies by the 2x2 pivot at position k, in units of its largest entry.
template <Scalar S>
void multiply_by_two(const FrontFactor<S>& front, Method method, Index k, Product<Wide<S>>& product) {
  const Wide<S> d11 = front.d[2 * k];
  const Wide<S> d21 = front.d[2 * k + 1];
  const Wide<S> d22 = front.d[2 * k + 2];
  const Wide<S> d12 = method == Method::ldlh ? conjugate(d21) : d21;
  const double largest = std::max({std::abs(d11), std::abs(d21), std::abs(d22)});
  product.multiply((d11 / largest) * (d22 / largest) - (d21 / largest) * (d12 / largest));
  product.multiply(largest);
  product.multiply(largest);
}

}  // namespace

template <Scalar S>
Determinant determinant_of_pivots(const FrontFactor<S>& front, Method method, Count num_exchanges) {
  Product<Wide<S>> product;
  const bool is_on_diagonal = method == Method::cholesky || method == Method::lu;
  for (Index k = 0; k < front.num_eliminated; ++k) {
    if (method != Method::cholesky && front.pivots[k] == PivotKind::null) {
      return Determinant(0);
    }
    if (is_on_diagonal) {
      const Wide<S> diagonal = front.lower[front.layout.column_offset(k) + k];
      product.multiply(diagonal);
      if (method == Method::cholesky) {
        product.multiply(diagonal);
      }
    } else if (front.pivots[k] == PivotKind::one_by_one) {
      product.multiply(front.d[2 * k]);
    } else if (front.pivots[k] == PivotKind::two_by_two) {
      multiply_by_two(front, method, k, product);
    }
  }
  Determinant determinant = product.value();
  if (num_exchanges % 2 != 0) {
    determinant.negate();
  }
  if (method == Method::cholesky || method == Method::ldlh) {
    determinant.mantissa.imag(0);  // the rest is rounding
  }
  return determinant;
}

template <Scalar S>
void divide_by_scales(const FrontFactor<S>& front, const ScaledValues<S>& matrix, Determinant& determinant) {
  if (matrix.row_scaling.empty()) {
    return;
  }
  Product<double> scales;
  for (Index k = 0; k < front.num_eliminated; ++k) {
    scales.multiply(matrix.row_scaling[front.row_variables[k]]);
    scales.multiply(matrix.col_scaling[front.col_variables[k]]);
  }
  determinant /= scales.value();
}

#define FROND_INSTANTIATE(S)                                                        \
  template Determinant determinant_of_pivots(const FrontFactor<S>&, Method, Count); \
  template void divide_by_scales(const FrontFactor<S>&, const ScaledValues<S>&, Determinant&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
