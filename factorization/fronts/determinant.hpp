// SPDX-License-Identifier: BSD-3-Clause
// A determinant of any size.
#pragma once

#include <complex>

#include "matrices/types.hpp"

namespace frond {

/// mantissa * 2^exponent. The larger of |real| and |imaginary part| of the mantissa is in [1/2, 1), so that no product overflows;
/// a determinant of zero is 0 * 2^0. The imaginary part is zero for real scalars.
struct Determinant {
  std::complex<double> mantissa = 0.5;
  Count exponent = 1;

  Determinant() = default;  ///< 1, that of a matrix of order 0
  explicit Determinant(std::complex<double> value);

  Determinant& operator*=(const Determinant& other);
  Determinant& operator/=(const Determinant& other);
  void negate() { mantissa = {0.0 - mantissa.real(), 0.0 - mantissa.imag()}; }  // no zero gets a sign

  [[nodiscard]] double log2_modulus() const;  ///< minus infinity for zero
  friend bool operator==(const Determinant&, const Determinant&) = default;

 private:
  void normalize();
};

}  // namespace frond
