// SPDX-License-Identifier: BSD-3-Clause
// Tests eigenvalues and singular values that can be found by hand, and relations between them.
#include "tests/dense/dense_algebra.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <random>

namespace frond::test {
namespace {

using Complex = std::complex<double>;

template <class W>
EigenMatrix<W> random_square(Eigen::Index order) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  EigenMatrix<W> result(order, order);
  for (W& entry : result.reshaped()) {
    if constexpr (kIsComplex<W>) {
      entry = {uniform(random), uniform(random)};
    } else {
      entry = uniform(random);
    }
  }
  return result;
}

TEST(Eigenvalues, OfMatricesOfOrderTwo) {
  EigenMatrix<double> real(2, 2);
  real << 2, 9, 2, -1;  // 9 is not read
  EXPECT_LE((eigenvalues(real) - Eigen::Vector2d(-2, 3)).norm(), 1e-14);
  EigenMatrix<Complex> hermitian(2, 2);
  hermitian << 1, 9, Complex(1, -1), 2;
  EXPECT_LE((eigenvalues(hermitian) - Eigen::Vector2d(0, 3)).norm(), 1e-14);
}

TEST(SingularValues, OfMatricesOfOrderTwo) {
  EigenMatrix<double> real(2, 2);
  real << 3, 0, 4, 5;
  EXPECT_LE((singular_values(real) - Eigen::Vector2d(std::sqrt(45.0), std::sqrt(5.0))).norm(), 1e-14);
  EigenMatrix<Complex> complex(2, 2);
  complex << 3, 0, Complex(0, 4), 5;
  EXPECT_LE((singular_values(complex) - Eigen::Vector2d(std::sqrt(45.0), std::sqrt(5.0))).norm(), 1e-14);
}

template <class W>
class DenseAlgebraOf : public ::testing::Test {};
using WideScalars = ::testing::Types<double, Complex>;
TYPED_TEST_SUITE(DenseAlgebraOf, WideScalars);

TYPED_TEST(DenseAlgebraOf, AgreesWithTheIdentitiesOfTraces) {
  const EigenMatrix<TypeParam> a = random_square<TypeParam>(40);
  const Eigen::VectorXd sizes = singular_values(a);
  EXPECT_NEAR(sizes.norm(), a.norm(), 1e-13 * a.norm());
  EXPECT_TRUE(std::is_sorted(sizes.begin(), sizes.end(), std::greater<>()));
  EXPECT_GE(sizes(39), 0);
  const EigenMatrix<TypeParam> hermitian = (a + a.adjoint()) / 2;
  const Eigen::VectorXd values = eigenvalues(hermitian);
  EXPECT_NEAR(values.sum(), std::real(hermitian.trace()), 1e-12);
  EXPECT_NEAR(values.norm(), hermitian.norm(), 1e-13 * hermitian.norm());
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
}

// A positive semidefinite A A^H has the squares of A's singular values as eigenvalues; the singular values of a Hermitian matrix
// are the magnitudes of its eigenvalues.
TYPED_TEST(DenseAlgebraOf, FindsTheSameBothWays) {
  const EigenMatrix<TypeParam> a = random_square<TypeParam>(30);
  const Eigen::VectorXd squares = singular_values(a).array().square().reverse();
  EXPECT_LE((eigenvalues(product<TypeParam>(a, a.adjoint())) - squares).norm(), 1e-13 * squares.norm());
  const EigenMatrix<TypeParam> hermitian = (a + a.adjoint()) / 2;
  Eigen::VectorXd magnitudes = eigenvalues(hermitian).cwiseAbs();
  std::sort(magnitudes.begin(), magnitudes.end(), std::greater<>());
  EXPECT_LE((singular_values(hermitian) - magnitudes).norm(), 1e-13 * magnitudes.norm());
}

TYPED_TEST(DenseAlgebraOf, HasNothingToSayOfNothing) {
  EXPECT_EQ(eigenvalues(EigenMatrix<TypeParam>(0, 0)).size(), 0);
  EXPECT_EQ(singular_values(EigenMatrix<TypeParam>(0, 0)).size(), 0);
}

}  // namespace
}  // namespace frond::test
