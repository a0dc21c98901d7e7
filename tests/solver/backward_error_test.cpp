// SPDX-License-Identifier: BSD-3-Clause
#include "solver/backward_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "matrices/build.hpp"
#include "test_systems.hpp"

namespace frond {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// [2 1; 0 4]
SparseMatrix<double> small_matrix() { return compress(Triplets<double>{2, 2, Symmetry::general, {0, 0, 1}, {0, 1, 1}, {2, 1, 4}}); }

ColumnReport measure(const SparseMatrix<double>& matrix, Operation operation, std::vector<double> b, std::vector<double> x) {
  const BackwardErrorMeter<double> meter(matrix.view(), operation);
  std::vector<double> residual(b.size());
  return meter.measure(b, x, residual);
}

TEST(BackwardErrorMeter, GivesZeroForTheExactSolution) {
  const auto report = measure(small_matrix(), Operation::plain, {4, 8}, {1, 2});
  EXPECT_EQ(report.normwise_backward_error, 0);
  EXPECT_EQ(report.componentwise_backward_error, 0);
}

TEST(BackwardErrorMeter, MeasuresAPlantedError) {
  // residual (0, -1); |A| |x| + |b| = (8, 17)
  const auto report = measure(small_matrix(), Operation::plain, {4, 8}, {0.875, 2.25});
  EXPECT_DOUBLE_EQ(report.normwise_backward_error, 1 / (4 * 2.25 + 8));
  EXPECT_DOUBLE_EQ(report.componentwise_backward_error, 1.0 / 17);
}

TEST(BackwardErrorMeter, MeasuresTheTransposed) {
  // A^T = [2 0; 1 4], x = (1, 2): b = (2, 9); residual (0, 1), row sums (2, 5), |A^T| |x| + |b| = (4, 19)
  const auto report = measure(small_matrix(), Operation::transposed, {2, 10}, {1, 2});
  EXPECT_DOUBLE_EQ(report.normwise_backward_error, 1.0 / (5 * 2 + 10));
  EXPECT_DOUBLE_EQ(report.componentwise_backward_error, 1.0 / 19);
}

TEST(BackwardErrorMeter, ComponentwiseSeesASmallEquation) {
  // the second equation, 1e-9 x1 = 1e-9, is missed by all of itself: normwise hardly, componentwise wholly
  const auto matrix = compress(Triplets<double>{2, 2, Symmetry::general, {0, 1}, {0, 1}, {1, 1e-9}});
  const auto report = measure(matrix, Operation::plain, {1, 1e-9}, {1, 0});
  EXPECT_LT(report.normwise_backward_error, 1e-9);
  EXPECT_DOUBLE_EQ(report.componentwise_backward_error, 1);
}

TEST(BackwardErrorMeter, DoesNotDivideNoiseByNoise) {
  // x0 = 1e-17 where 0 is right: |A| |x| + |b| = 1e-17 is below what rounding makes of x1 = 1
  const auto matrix = compress(Triplets<double>{2, 2, Symmetry::general, {0, 1}, {0, 1}, {1, 1}});
  const auto report = measure(matrix, Operation::plain, {0, 1}, {1e-17, 1});
  EXPECT_LT(report.componentwise_backward_error, 1e-16);
}

TEST(BackwardErrorMeter, CountsNaNAndInfinityAsInfiniteErrors) {
  for (const double bad : {kNaN, kInfinity, -kInfinity}) {
    const auto report = measure(small_matrix(), Operation::plain, {4, 8}, {1, bad});
    EXPECT_EQ(report.normwise_backward_error, kInfinity);
    EXPECT_EQ(report.componentwise_backward_error, kInfinity);
  }
  EXPECT_EQ(measure(small_matrix(), Operation::plain, {kNaN, 8}, {1, 2}).normwise_backward_error, kInfinity);
  EXPECT_EQ(measure(small_matrix(), Operation::plain, {kInfinity, 8}, {1, 2}).normwise_backward_error, kInfinity);
}

TEST(BackwardErrorMeter, AcceptsZeroForZero) {
  const auto report = measure(small_matrix(), Operation::plain, {0, 0}, {0, 0});
  EXPECT_EQ(report.normwise_backward_error, 0);
  EXPECT_EQ(report.componentwise_backward_error, 0);
}

TEST(BackwardErrorMeter, ProductsOfNormsMayLeaveTheRange) {
  const auto matrix = compress(Triplets<double>{2, 2, Symmetry::general, {0, 1}, {0, 1}, {1e200, 1e-200}});
  const auto report = measure(matrix, Operation::plain, {1, 1.5}, {1e-200, 1e200});
  EXPECT_NEAR(report.normwise_backward_error, 0, 1e-300);
  EXPECT_NEAR(report.componentwise_backward_error, 0.5 / 2.5, 1e-12);
}

template <class S>
class BackwardErrorOf : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(BackwardErrorOf, Scalars);

TYPED_TEST(BackwardErrorOf, AgreesWithTheDenseOracle) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::skew_symmetric, Symmetry::hermitian}) {
    const auto matrix = testing::random_matrix<S>(40, 4, symmetry, testing::Flavour::zero_diagonal, 5);
    const auto x = testing::random_dense<S>(40, 1, 6);
    const auto b = testing::random_dense<S>(40, 1, 7);
    for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
      const BackwardErrorMeter<S> meter(matrix.view(), operation);
      std::vector<S> residual(40);
      const double error = meter.measure(b.column(0), x.column(0), residual).normwise_backward_error;
      EXPECT_NEAR(error, testing::dense_backward_error(testing::dense(matrix, operation), x, b), 1e-5);
    }
  }
}

// A D^-1 (D x) = b measured with the scales D is A x = b: no unknown hides behind a larger one.
TYPED_TEST(BackwardErrorOf, DoesNotDependOnTheUnitsOfUnknowns) {
  using S = TypeParam;
  using R = RealOf<S>;
  for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
    auto matrix = testing::random_matrix<S>(40, 4, Symmetry::general, testing::Flavour::zero_diagonal, 5);
    auto x = testing::random_dense<S>(40, 1, 6);
    auto b = testing::random_dense<S>(40, 1, 7);
    std::fill(b.values.begin(), b.values.end(), S(0));  // so that errors of small products have the second kind of denominator
    std::fill(x.values.begin() + 20, x.values.end(), S(static_cast<R>(1e-30)));
    std::vector<S> residual(40);
    const ColumnReport expected = BackwardErrorMeter<S>(matrix.view(), operation).measure(b.column(0), x.column(0), residual);
    std::vector<R> scales(40);
    for (Index i = 0; i < 40; ++i) {
      scales[static_cast<std::size_t>(i)] = std::ldexp(R(1), 5 * (i % 9 - 4));
      x(i, 0) *= scales[static_cast<std::size_t>(i)];
    }
    for (Index j = 0; j < 40; ++j) {
      for (auto k = static_cast<std::size_t>(matrix.column_offsets[static_cast<std::size_t>(j)]);
           k < static_cast<std::size_t>(matrix.column_offsets[static_cast<std::size_t>(j) + 1]); ++k) {
        matrix.values[k] /= scales[static_cast<std::size_t>(operation == Operation::plain ? j : matrix.row_indices[k])];
      }
    }
    const BackwardErrorMeter<S> meter(matrix.view(), operation, scales);
    EXPECT_EQ(meter.measure(b.column(0), x.column(0), residual).componentwise_backward_error,
              expected.componentwise_backward_error);
  }
}

}  // namespace
}  // namespace frond
