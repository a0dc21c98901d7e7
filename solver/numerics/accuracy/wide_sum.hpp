// SPDX-License-Identifier: BSD-3-Clause
// Computes sums and products as if in twice the working precision.
#pragma once

#include <cmath>
#include <complex>

#include "frond/types.hpp"

namespace frond {

/// The number high + low, neither rounded to the other: |low| is about a rounding error of `high`. A sum of n products that is
/// accumulated in this form has the error of a sum in twice the working precision (Ogita, Rump & Oishi 2005, "Accurate sum and dot
/// product", algorithm 5.3): eps |s| + n^2 eps^2 times the sum of the magnitudes.
template <class R>
struct WideSum {
  R high = 0;
  R low = 0;

  /// Exact (Knuth 1969): high + low of the result is a + b.
  [[nodiscard]] static WideSum of_sum(R a, R b) {
    const R sum = a + b;
    const R part = sum - a;
    return {sum, (a - (sum - part)) + (b - part)};
  }
  /// Exact unless it underflows.
  [[nodiscard]] static WideSum of_product(R a, R b) {
    const R product = a * b;
    return {product, std::fma(a, b, -product)};
  }
  void operator+=(const WideSum& other) {
    const WideSum sum = of_sum(high, other.high);
    high = sum.high;
    low += sum.low + other.low;
  }
  [[nodiscard]] R rounded() const { return high + low; }
};

/// The same for real or complex numbers.
template <Scalar S>
struct WideNumber {
  WideSum<S> value;

  [[nodiscard]] static WideNumber of_parts(S high, S low) { return {{high, low}}; }
  [[nodiscard]] static WideNumber of_product(S a, S b) { return {WideSum<S>::of_product(a, b)}; }
  void operator+=(const WideNumber& other) { value += other.value; }
  [[nodiscard]] S high() const { return value.high; }
  [[nodiscard]] S low() const { return value.low; }
  [[nodiscard]] S rounded() const { return value.rounded(); }
};

template <class R>
struct WideNumber<std::complex<R>> {
  WideSum<R> real;
  WideSum<R> imaginary;

  [[nodiscard]] static WideNumber of_parts(std::complex<R> high, std::complex<R> low) {
    return {{high.real(), low.real()}, {high.imag(), low.imag()}};
  }
  [[nodiscard]] static WideNumber of_product(std::complex<R> a, std::complex<R> b) {
    WideNumber product{WideSum<R>::of_product(a.real(), b.real()), WideSum<R>::of_product(a.real(), b.imag())};
    product.real += WideSum<R>::of_product(-a.imag(), b.imag());
    product.imaginary += WideSum<R>::of_product(a.imag(), b.real());
    return product;
  }
  void operator+=(const WideNumber& other) {
    real += other.real;
    imaginary += other.imaginary;
  }
  [[nodiscard]] std::complex<R> high() const { return {real.high, imaginary.high}; }
  [[nodiscard]] std::complex<R> low() const { return {real.low, imaginary.low}; }
  [[nodiscard]] std::complex<R> rounded() const { return {real.rounded(), imaginary.rounded()}; }
};

/// b - (high + low), rounded once.
template <Scalar S>
[[nodiscard]] S wide_difference(S b, S high, S low) {
  auto difference = WideNumber<S>::of_parts(b, -low);
  difference += WideNumber<S>::of_parts(-high, S(0));
  return difference.rounded();
}

}  // namespace frond
