// SPDX-License-Identifier: BSD-3-Clause
// Tests products and norms against a dense reference.
#include "matrices/products.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <vector>

#include "frond/error.hpp"
#include "matrices/modulus.hpp"
#include "tests/support/matrices/random_matrix.hpp"
#include "tests/support/oracles/dense_matrix_oracle.hpp"

namespace frond {
namespace {

constexpr Symmetry kAllSymmetries[] = {Symmetry::general, Symmetry::symmetric, Symmetry::skew_symmetric, Symmetry::hermitian};
constexpr Operation kAllOperations[] = {Operation::plain, Operation::transposed, Operation::adjoint};

template <class S>
class Products : public ::testing::Test {
 protected:
  /// Suits sums of at most 40 products of numbers below sqrt(2): far above rounding errors, far below any missing entry.
  static constexpr RealOf<S> kTolerance = 200 * std::numeric_limits<RealOf<S>>::epsilon();
};
using AllScalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Products, AllScalars);

// Draws exponents of both parts from the whole range: squares overflow, underflow, and lose digits one by one.
TYPED_TEST(Products, modulus_is_the_exact_one_wherever_squares_end) {
  using R = RealOf<TypeParam>;
  std::mt19937 random(11);
  std::uniform_int_distribution<int> exponent(std::numeric_limits<R>::min_exponent - 30, std::numeric_limits<R>::max_exponent - 2);
  const auto draw = [&] {
    const TypeParam number = random_scalar<TypeParam>(random);
    if constexpr (kIsComplex<TypeParam>) {
      const int first = exponent(random);
      const bool is_near = random() % 2 == 0;
      return TypeParam(std::ldexp(number.real(), first), std::ldexp(number.imag(), is_near ? first : exponent(random)));
    } else {
      return std::ldexp(number, exponent(random));
    }
  };
  for (int trial = 0; trial < 20000; ++trial) {
    const TypeParam z = draw();
    const long double exact = std::hypot(static_cast<long double>(std::real(z)), static_cast<long double>(std::imag(z)));
    const long double tolerance = exact * std::numeric_limits<R>::epsilon() + std::numeric_limits<R>::denorm_min();
    EXPECT_LE(std::abs(static_cast<long double>(modulus(z)) - exact), tolerance) << z;
  }
  EXPECT_EQ(modulus(TypeParam(0)), R(0));
  EXPECT_EQ(modulus(TypeParam(std::numeric_limits<R>::infinity())), std::numeric_limits<R>::infinity());
  EXPECT_TRUE(std::isnan(modulus(TypeParam(std::numeric_limits<R>::quiet_NaN()))));
}

template <class S>
std::vector<S> sparse_product(const SparseMatrix<S>& matrix, Operation operation, const std::vector<S>& x) {
  const Index length = operation == Operation::plain ? matrix.num_rows : matrix.num_cols;
  std::vector<S> y(static_cast<std::size_t>(length), std::numeric_limits<RealOf<S>>::quiet_NaN());
  multiply<S>(matrix.view(), operation, x, y);
  return y;
}

TYPED_TEST(Products, square_product_is_the_dense_one) {
  std::mt19937 random(4);
  for (const Symmetry symmetry : kAllSymmetries) {
    const SparseMatrix<TypeParam> matrix = compress(random_triplets<TypeParam>(12, 12, 50, symmetry, random));
    const std::vector<TypeParam> x = random_vector<TypeParam>(12, random);
    for (const Operation operation : kAllOperations) {
      const std::vector<TypeParam> expected = dense_product(dense_operation(operation, to_dense(matrix.view())), x);
      EXPECT_LE(largest_difference(sparse_product(matrix, operation, x), expected), this->kTolerance);
    }
  }
}

TYPED_TEST(Products, rectangular_product_is_the_dense_one) {
  std::mt19937 random(5);
  const SparseMatrix<TypeParam> matrix = compress(random_triplets<TypeParam>(4, 9, 20, Symmetry::general, random));
  const std::vector<TypeParam> wide = random_vector<TypeParam>(9, random);
  const std::vector<TypeParam> high = random_vector<TypeParam>(4, random);
  for (const Operation operation : kAllOperations) {
    const std::vector<TypeParam>& x = operation == Operation::plain ? wide : high;
    const std::vector<TypeParam> expected = dense_product(dense_operation(operation, to_dense(matrix.view())), x);
    EXPECT_LE(largest_difference(sparse_product(matrix, operation, x), expected), this->kTolerance);
  }
}

TYPED_TEST(Products, the_comparison_finds_a_planted_error) {
  std::mt19937 random(6);
  for (const Symmetry symmetry : kAllSymmetries) {
    SparseMatrix<TypeParam> matrix = compress(random_triplets<TypeParam>(12, 12, 50, symmetry, random));
    const std::vector<TypeParam> x(12, TypeParam(1));
    const std::vector<TypeParam> expected = dense_product(to_dense(matrix.view()), x);
    matrix.values[17] += TypeParam(1000) * this->kTolerance;
    EXPECT_GT(largest_difference(sparse_product(matrix, Operation::plain, x), expected), this->kTolerance);
  }
}

TYPED_TEST(Products, magnitudes_are_those_of_the_dense_matrix) {
  std::mt19937 random(7);
  for (const Symmetry symmetry : kAllSymmetries) {
    const SparseMatrix<TypeParam> matrix = compress(random_triplets<TypeParam>(10, 10, 40, symmetry, random));
    const std::vector<TypeParam> x = random_vector<TypeParam>(10, random);
    for (const Operation operation : kAllOperations) {
      const DenseMatrix<TypeParam> dense = dense_operation(operation, to_dense(matrix.view()));
      std::vector<RealOf<TypeParam>> magnitudes(10, std::numeric_limits<RealOf<TypeParam>>::quiet_NaN());
      multiply_magnitudes<TypeParam>(matrix.view(), operation, x, magnitudes);
      for (Index i = 0; i < 10; ++i) {
        RealOf<TypeParam> expected{};
        for (Index j = 0; j < 10; ++j) {
          expected += std::abs(dense(i, j)) * std::abs(x[j]);
        }
        EXPECT_NEAR(magnitudes[i], expected, this->kTolerance);
      }
    }
  }
}

TYPED_TEST(Products, norms_are_the_largest_sums) {
  //     [ 1 -2 ]          row sums 3, 4, 0
  // A = [ 0  4 ]
  //     [ 0  0 ]          column sums 1, 6
  const SparseMatrix<TypeParam> matrix =
      compress(Triplets<TypeParam>{3, 2, Symmetry::general, {0, 0, 1}, {0, 1, 1}, {TypeParam(1), TypeParam(-2), TypeParam(4)}});
  EXPECT_EQ(infinity_norm(matrix.view()), 4);
  EXPECT_EQ(one_norm(matrix.view()), 6);
  const SparseMatrix<TypeParam> symmetric =
      compress(Triplets<TypeParam>{2, 2, Symmetry::symmetric, {0, 1}, {0, 0}, {TypeParam(1), TypeParam(-2)}});
  EXPECT_EQ(infinity_norm(symmetric.view()), 3);
  EXPECT_EQ(one_norm(symmetric.view()), 3);
}

TYPED_TEST(Products, empty_matrix_has_norm_zero) {
  const SparseMatrix<TypeParam> empty;
  EXPECT_EQ(infinity_norm(empty.view()), 0);
  EXPECT_EQ(one_norm(empty.view()), 0);
}

TEST(ProductsSmall, lengths_are_checked) {
  const SparseMatrix<double> matrix = compress(Triplets<double>{3, 2, Symmetry::general, {}, {}, {}});
  std::vector<double> two(2);
  std::vector<double> three(3);
  EXPECT_NO_THROW(multiply<double>(matrix.view(), Operation::plain, two, three));
  EXPECT_NO_THROW(multiply<double>(matrix.view(), Operation::adjoint, three, two));
  EXPECT_THROW(multiply<double>(matrix.view(), Operation::plain, three, two), UsageError);
  EXPECT_THROW(multiply<double>(matrix.view(), Operation::transposed, two, three), UsageError);
  EXPECT_THROW(multiply_magnitudes<double>(matrix.view(), Operation::plain, two, two), UsageError);
}

}  // namespace
}  // namespace frond
