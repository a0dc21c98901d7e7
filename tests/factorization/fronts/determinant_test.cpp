// SPDX-License-Identifier: BSD-3-Clause
// Tests determinants beyond the range of double.
#include "frond/factorization_report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace frond::test {
namespace {

using Complex = std::complex<double>;

TEST(Determinant, OfNothingIsOne) {
  EXPECT_EQ(Determinant(), Determinant(1));
  EXPECT_EQ(Determinant().log2_modulus(), 0);
}

TEST(Determinant, SplitsItsValue) {
  const Determinant determinant(-12);
  EXPECT_EQ(determinant.mantissa, Complex(-0.75));
  EXPECT_EQ(determinant.exponent, 4);
  const Determinant complex(Complex(3, -4));
  EXPECT_EQ(complex.mantissa, Complex(0.375, -0.5));
  EXPECT_EQ(complex.exponent, 3);
  EXPECT_DOUBLE_EQ(complex.log2_modulus(), std::log2(5));
}

TEST(Determinant, ProductsNeitherOverflowNorVanish) {
  for (const double factor : {std::numeric_limits<double>::max(), std::numeric_limits<double>::denorm_min()}) {
    Determinant determinant;
    for (int k = 0; k < 1001; ++k) {
      determinant *= Determinant(-factor);
    }
    EXPECT_LT(determinant.mantissa.real(), 0);
    EXPECT_EQ(determinant.mantissa.imag(), 0);
    EXPECT_NEAR(determinant.log2_modulus(), 1001 * std::log2(factor), 1e-6);
    for (int k = 0; k < 1001; ++k) {
      determinant /= Determinant(factor);
    }
    EXPECT_NEAR(determinant.mantissa.real() * std::ldexp(1.0, static_cast<int>(determinant.exponent)), -1, 1e-12);
  }
}

TEST(Determinant, OfRealFactorsHasNoSignOfItsImaginaryPart) {
  Determinant determinant(-3);
  determinant *= Determinant(-5);
  EXPECT_FALSE(std::signbit(determinant.mantissa.imag()));
  determinant.negate();
  EXPECT_FALSE(std::signbit(determinant.mantissa.imag()));
  EXPECT_EQ(determinant, Determinant(-15));
}

TEST(Determinant, ComplexFactorsTurnIt) {
  Determinant determinant;
  for (int k = 0; k < 6; ++k) {
    determinant *= Determinant(Complex(0, 4));
  }
  EXPECT_EQ(determinant, Determinant(-4096));
  determinant.negate();
  EXPECT_EQ(determinant, Determinant(4096));
}

TEST(Determinant, ZeroStaysZero) {
  Determinant determinant(-5);
  determinant *= Determinant(0);
  determinant *= Determinant(1e300);
  determinant /= Determinant(1e-300);
  EXPECT_EQ(determinant, Determinant(0));
  EXPECT_EQ(determinant.exponent, 0);
  EXPECT_FALSE(std::signbit(determinant.mantissa.real()));
  EXPECT_EQ(determinant.log2_modulus(), -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace frond::test
