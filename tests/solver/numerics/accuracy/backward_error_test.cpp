// SPDX-License-Identifier: BSD-3-Clause
// Tests backward errors for planted errors, exact solutions, NaN, and numbers at the ends of the range.
#include "solver/numerics/accuracy/backward_error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "frond/matrix.hpp"
#include "solver/numerics/problem/finite.hpp"
#include "tests/support/matrices/test_systems.hpp"

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
  // the second equation, 1e-9 x1 = 1e-9, is violated completely: hardly visible normwise, but fully componentwise
  const auto matrix = compress(Triplets<double>{2, 2, Symmetry::general, {0, 1}, {0, 1}, {1, 1e-9}});
  const auto report = measure(matrix, Operation::plain, {1, 1e-9}, {1, 0});
  EXPECT_LT(report.normwise_backward_error, 1e-9);
  EXPECT_DOUBLE_EQ(report.componentwise_backward_error, 1);
}

// x0 = 1e-17 where 0 is exact: the equation is violated by all of its terms, and nothing shows that they are rounding errors.
TEST(BackwardErrorMeter, ExcusesNoEquationWithoutACorrection) {
  const auto matrix = compress(Triplets<double>{2, 2, Symmetry::general, {0, 1}, {0, 1}, {1, 1}});
  const auto report = measure(matrix, Operation::plain, {0, 1}, {1e-17, 1});
  EXPECT_EQ(report.componentwise_backward_error, 1);
  EXPECT_EQ(report.improvable_backward_error, 1);
  EXPECT_EQ(report.num_missed_equations, 1);
  EXPECT_EQ(report.num_negligible_equations, 0);
}

TEST(BackwardErrorMeter, CountsEquationsAmongRoundingErrorsApart) {
  const auto matrix = compress(Triplets<double>{3, 3, Symmetry::general, {0, 1, 2}, {0, 1, 2}, {1, 1, 1}});
  const BackwardErrorMeter<double> meter(matrix.view(), Operation::plain);
  std::vector<double> residual(3);
  const std::vector<double> b{0, 1, 0};
  const std::vector<double> correction{-2e-17, 1e-16, -1e-13};
  const auto measured = [&](double first, double last) {
    return meter.measure(b, std::vector<double>{first, 1, last}, residual, correction);
  };
  const ColumnReport noise = measured(1e-17, 0);
  EXPECT_EQ(noise.componentwise_backward_error, 1);
  EXPECT_EQ(noise.improvable_backward_error, 0);
  EXPECT_EQ(noise.num_missed_equations, 0);
  EXPECT_EQ(noise.num_negligible_equations, 1);
  EXPECT_NEAR(noise.negligible_size, 1e-17 / 2, 1e-20);
  EXPECT_EQ(measured(3e-17, 0).num_missed_equations, 1) << "the correction was smaller: it is no rounding error";
  EXPECT_EQ(measured(0, 2e-14).num_missed_equations, 1) << "it is more than the rounding of the largest unknown";
  EXPECT_EQ(measured(0, 5e-15).num_missed_equations, 0);
}

// x_2 = 6e-323 / 3 is rounded to a multiple of 4.9e-324.
TEST(BackwardErrorMeter, CountsWhatUnderflowLeavesApart) {
  constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
  const auto matrix = compress(Triplets<double>{2, 2, Symmetry::general, {0, 1, 1}, {0, 0, 1}, {3, -13 * kSmallest, 1}});
  const double third = 1. / 3;
  const auto rounded = measure(matrix, Operation::plain, {1, 0}, {third, 4 * kSmallest});
  EXPECT_GT(rounded.componentwise_backward_error, 0.03);
  EXPECT_EQ(rounded.num_missed_equations, 0);
  EXPECT_EQ(rounded.num_negligible_equations, 1);
  EXPECT_EQ(measure(matrix, Operation::plain, {1, 0}, {third, 20 * kSmallest}).num_missed_equations, 1);
}

// The products 1e-200 * 1e-200 and 1e200 * 1e200 are outside the range of double.
TEST(BackwardErrorMeter, MeasuresEquationsAtTheEndsOfTheRange) {
  const auto matrix =
      compress(Triplets<double>{3, 3, Symmetry::general, {0, 0, 1, 1, 2}, {0, 1, 0, 2, 2}, {1e-200, 1e-150, 1e200, 1, 2}});
  const auto tiny = measure(matrix, Operation::plain, {0, 1, 2}, {1e-200, 1e-250, 1});
  EXPECT_NEAR(tiny.componentwise_backward_error, 1, 1e-14) << "2e-400 is missed by all of it";
  const auto opposite = measure(matrix, Operation::plain, {0, 2, 2}, {1e-200, -1e-250, 1});
  EXPECT_LE(opposite.componentwise_backward_error, 1e-15) << "1e-400 - 1e-400 is no more than rounding";
  const auto huge = measure(matrix, Operation::plain, {1e8, 0, 2e-300}, {1e200, 1e158, 1e-300});
  EXPECT_NEAR(huge.componentwise_backward_error, 1, 1e-14) << "1e400 is all of the second equation";
  EXPECT_GT(huge.normwise_backward_error, 0.4);
}

TEST(BackwardErrorMeter, AllowsLongEquationsTheirRounding) {
  constexpr Index kLength = 100;
  Triplets<double> entries{kLength, kLength, Symmetry::general};
  for (Index j = 0; j < kLength; ++j) {
    entries.add(0, j, 1.0);
    if (j > 0) {
      entries.add(j, j, 1.0);
    }
  }
  const auto matrix = compress(std::move(entries));
  constexpr double kEps = std::numeric_limits<double>::epsilon();
  const auto missed_with = [&](double error) {
    std::vector<double> b(kLength, 1.0);
    b[0] = kLength + error * 2 * kLength;  // |A| |x| + |b| is 200
    return measure(matrix, Operation::plain, b, std::vector<double>(kLength, 1.0)).num_missed_equations;
  };
  EXPECT_EQ(missed_with(100 * kEps), 0);
  EXPECT_EQ(missed_with(110 * kEps), 1);
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

template <Scalar S>
SparseMatrix<S> identity_matrix(Index order) {
  Triplets<S> entries{order, order, Symmetry::general};
  for (Index i = 0; i < order; ++i) {
    entries.add(i, i, S(1));
  }
  return compress(std::move(entries));
}

template <Scalar S>
double normwise_by_definition(std::span<const S> b, std::span<const S> x, std::span<const S> residual,
                              std::span<const RealOf<S>> sums) {
  const long double norm = *std::max_element(sums.begin(), sums.end());
  const long double largest_residual = largest_magnitude<S>(residual);
  const long double whole = norm * largest_magnitude<S>(x) + largest_magnitude<S>(b);
  return largest_residual == 0 ? 0 : static_cast<double>(largest_residual / whole);
}

// Evaluates the definition, equation by equation.
template <Scalar S>
double componentwise_by_definition(std::span<const S> b, std::span<const S> residual, std::span<const RealOf<S>> products) {
  long double largest = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const long double magnitude = std::abs(residual[i]);
    const long double size = static_cast<long double>(products[i]) + static_cast<long double>(std::abs(b[i]));
    largest = std::max(largest, magnitude == 0 ? 0 : magnitude / size);
  }
  return static_cast<double>(largest);
}

// The largest error must be found at any position of the blocks that are compared at once.
TYPED_TEST(BackwardErrorOf, AgreesWithItsDefinitionForLongVectors) {
  using S = TypeParam;
  using R = RealOf<S>;
  std::mt19937 random(20);
  std::uniform_real_distribution<double> exponent(-12, 0);
  const auto sized = [&](double least) { return static_cast<R>(std::pow(10.0, std::max(least, exponent(random)))); };
  for (const std::size_t length : {1U, 63U, 64U, 65U, 200U, 3000U, 20000U}) {  // the last one takes several tasks
    for (int kind = 0; kind < 4; ++kind) {  // 0: terms of similar size, 1: small ones, 2, 3: mixed
      std::vector<S> b(length);
      std::vector<S> x(length);
      std::vector<S> product(length);
      std::vector<S> residual(length);
      std::vector<R> products(length);
      RowSums<R> sums{std::vector<R>(length), std::vector<R>(length)};
      std::vector<R> scales(length);
      for (std::size_t i = 0; i < length; ++i) {
        const bool is_first = kind == 0 || (kind >= 2 && random() % (kind == 2 ? 2 : 100) == 0);
        products[i] = is_first ? sized(-1) : sized(-12) * R(1e-3);
        b[i] = is_first && random() % 2 == 0 ? S(sized(-1)) : S(0);
        x[i] = S(random() % 7 == 0 ? R(0) : -sized(-5));
        product[i] = b[i] - S(random() % 3 == 0 ? R(0) : (random() % 2 == 0 ? sized(-12) : -sized(-12)) * R(1e-7));
        residual[i] = b[i] - product[i];
        sums.plain[i] = sized(-2);
        sums.scaled[i] = sized(-2) * (random() % 2 == 0 ? R(16) : R(1) / 16);
        scales[i] = std::ldexp(R(1), static_cast<int>(random() % 9) - 4);
      }
      const auto matrix = identity_matrix<S>(static_cast<Index>(length));
      const ErrorScale<S> scale(matrix.view(), Operation::plain, sums, scales);
      const double expected = componentwise_by_definition<S>(b, residual, products);
      const double normwise = normwise_by_definition<S>(b, x, residual, sums.plain);
      std::vector<S> measured(length);
      const std::vector<S> zeros(length);
      const auto measure_product = [&](std::span<const S> high, std::span<S> into) {
        const ColumnReport report = scale.measure(b, x, {high, zeros}, products, into);
        EXPECT_NEAR(report.normwise_backward_error, normwise, 1e-14 * normwise);
        return report.componentwise_backward_error;
      };
      const auto is_expected = [expected](double error) {
        return error == expected || std::abs(error - expected) <= 1e-14 * expected;
      };
      EXPECT_PRED1(is_expected, measure_product(product, measured)) << "length " << length << ", kind " << kind;
      EXPECT_EQ(measured, residual);
      std::vector<S> in_place = product;
      EXPECT_PRED1(is_expected, measure_product(in_place, in_place));
      EXPECT_EQ(in_place, residual);
      x[random() % length] = S(std::numeric_limits<R>::quiet_NaN());
      EXPECT_EQ(scale.measure(b, x, {product, zeros}, products, measured).componentwise_backward_error, kInfinity);
    }
  }
}

TYPED_TEST(BackwardErrorOf, NoEntryHidesFromTheLargestMagnitude) {
  using S = TypeParam;
  using R = RealOf<S>;
  for (std::size_t length = 0; length < 40; ++length) {
    std::vector<S> x(length, S(-1));
    EXPECT_EQ(largest_magnitude<S>(x), length > 0 ? R(1) : R(0));
    for (std::size_t place = 0; place < length; ++place) {
      for (const R value : {R(-3), R(3), std::numeric_limits<R>::max(), std::numeric_limits<R>::lowest()}) {
        x[place] = S(value);
        EXPECT_EQ(largest_magnitude<S>(x), std::abs(value));
      }
      for (const double bad : {kNaN, -kNaN, kInfinity, -kInfinity}) {
        x[place] = S(static_cast<R>(bad));
        EXPECT_EQ(largest_magnitude<S>(x), std::numeric_limits<R>::infinity());
      }
      x[place] = S(-1);
    }
  }
}

// Measured with the scales D, A D^-1 (D x) = b is A x = b: no unknown hides behind a larger one.
TYPED_TEST(BackwardErrorOf, DoesNotDependOnTheUnitsOfUnknowns) {
  using S = TypeParam;
  using R = RealOf<S>;
  for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
    auto matrix = testing::random_matrix<S>(40, 4, Symmetry::general, testing::Flavour::zero_diagonal, 5);
    auto x = testing::random_dense<S>(40, 1, 6);
    auto b = testing::random_dense<S>(40, 1, 7);
    std::fill(b.values.begin(), b.values.end(), S(0));  // so that errors of small products get the second kind of denominator
    std::fill(x.values.begin() + 20, x.values.end(), S(static_cast<R>(1e-30)));
    std::vector<S> residual(40);
    const ColumnReport expected = BackwardErrorMeter<S>(matrix.view(), operation).measure(b.column(0), x.column(0), residual);
    std::vector<R> scales(40);
    for (Index i = 0; i < 40; ++i) {
      scales[i] = std::ldexp(R(1), 5 * (i % 9 - 4));
      x(i, 0) *= scales[i];
    }
    testing::for_each_entry(matrix, [&](Index i, Index j, S& value) { value /= scales[operation == Operation::plain ? j : i]; });
    const BackwardErrorMeter<S> meter(matrix.view(), operation, scales);
    EXPECT_EQ(meter.measure(b.column(0), x.column(0), residual).componentwise_backward_error,
              expected.componentwise_backward_error);
  }
}

}  // namespace
}  // namespace frond
