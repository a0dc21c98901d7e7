// SPDX-License-Identifier: BSD-3-Clause
// Multiplies pivots, keeping their exponents apart.
#include "frond/factorization_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace frond {

Determinant::Determinant(std::complex<double> value) : mantissa(value), exponent(0) { normalize(); }

Determinant& Determinant::operator*=(const Determinant& other) {
  mantissa *= other.mantissa;
  exponent += other.exponent;
  normalize();
  return *this;
}

Determinant& Determinant::operator/=(const Determinant& other) {
  mantissa /= other.mantissa;
  exponent -= other.exponent;
  normalize();
  return *this;
}

double Determinant::log2_modulus() const {
  return mantissa == 0.0 ? -std::numeric_limits<double>::infinity() : std::log2(std::abs(mantissa)) + static_cast<double>(exponent);
}

void Determinant::normalize() {
  if (mantissa == 0.0) {
    mantissa = 0;
    exponent = 0;
    return;
  }
  int power = 0;
  static_cast<void>(std::frexp(std::max(std::abs(mantissa.real()), std::abs(mantissa.imag())), &power));
  mantissa = {std::ldexp(mantissa.real(), -power), std::ldexp(mantissa.imag(), -power) + 0.0};  // never -0
  exponent += power;
}

}  // namespace frond
