// SPDX-License-Identifier: BSD-3-Clause
// Tests determinants of whole factorizations against Eigen's: every method and scalar, delayed pivots, scalings, threads.
#include "factorization/fronts/pivot_determinant.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "factorization/factorize.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/oracles/dense_determinant.hpp"
#include "tests/support/oracles/dense_matrix_oracle.hpp"
#include "tests/support/ranks/single_front.hpp"

namespace frond::test {
namespace {

template <Scalar S>
struct Scales {
  std::vector<RealOf<S>> rows;
  std::vector<RealOf<S>> cols;
};

template <Scalar S>
FactorizationReport report_of(const SparseMatrix<S>& a, Method method, const Scales<S>& scales = {}, int num_threads = 1) {
  const FactorizationOptions options{.num_threads = num_threads};
  return factorize<S>(analyze(a.pattern(), natural_order()), method, a.values, scales.rows, scales.cols, options).report;
}

// Counts properties of the judged matrices.
struct Tally {
  int num_positive = 0;
  int num_negative = 0;
  Count num_delayed = 0;
};

// Judges matrices conditioned well enough that the precision of S determines the sign, drawn from fresh seeds.
template <Scalar S, class Make>
void expect_determinants(Method method, Make make, Tally& tally, const Scales<S>& scales = {}) {
  constexpr int kNumJudged = 12;
  int num_judged = 0;
  std::random_device device;
  for (int trial = 0; trial < 10 * kNumJudged && num_judged < kNumJudged; ++trial) {
    const std::uint32_t seed = device();
    SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", seed " << seed);
    const SparseMatrix<S> a = make(seed);
    const DenseDeterminant expected = dense_determinant(to_dense(a.view()));
    if (expected.tolerance < 0.5) {
      const FactorizationReport report = report_of(a, method, scales);
      EXPECT_LE(relative_difference(report.determinant, expected.value), expected.tolerance);
      EXPECT_TRUE(kIsComplex<S> || report.determinant.mantissa.imag() == 0);
      ++num_judged;
      ++(expected.value.mantissa.real() > 0 ? tally.num_positive : tally.num_negative);
      tally.num_delayed += report.num_delayed_pivots;
    }
  }
  EXPECT_EQ(num_judged, kNumJudged);
}

Values values_for(Method method) { return method == Method::cholesky ? Values::dominant : Values::zero_diagonal; }

template <class S>
class PivotDeterminantTest : public ::testing::Test {};
TYPED_TEST_SUITE(PivotDeterminantTest, Scalars);

TYPED_TEST(PivotDeterminantTest, IsThatOfTheMatrix) {
  using S = TypeParam;
  for (const Method method : kAllMethods) {
    const Symmetry symmetry = symmetry_of(method);
    const Values values = values_for(method);
    Tally tally;
    expect_determinants<S>(
        method, [=](std::uint32_t seed) { return grid_matrix<S>(symmetry, 6, 5, 1, values, seed); }, tally);
    expect_determinants<S>(
        method, [=](std::uint32_t seed) { return random_sparse<S>(symmetry, 25, 0.15, values, seed); }, tally);
    if (method != Method::cholesky) {
      expect_determinants<S>(
          method, [=](std::uint32_t seed) { return saddle_matrix<S>(symmetry, 8, seed); }, tally);
      EXPECT_GT(tally.num_negative, 0);
      EXPECT_GT(tally.num_delayed, 0);
    }
    EXPECT_GT(tally.num_positive, 0);
  }
}

TYPED_TEST(PivotDeterminantTest, LeavesScalingsOut) {
  using S = TypeParam;
  std::vector<RealOf<S>> rows;
  rows.reserve(30);
  for (int i = 0; i < 30; ++i) {
    rows.push_back(static_cast<RealOf<S>>(1 + i % 7) / 3);
  }
  for (const Method method : kAllMethods) {
    Scales<S> scales{rows, rows};
    if (method == Method::lu) {
      std::reverse(scales.cols.begin(), scales.cols.end());
    }
    const auto make = [method](std::uint32_t seed) {
      return grid_matrix<S>(symmetry_of(method), 6, 5, 1, values_for(method), seed);
    };
    Tally tally;
    expect_determinants<S>(method, make, tally, scales);
  }
}

TYPED_TEST(PivotDeterminantTest, OfASingularMatrixIsZero) {
  using S = TypeParam;
  for (const Method method : {Method::ldlt, Method::ldlh, Method::lu}) {
    SparseMatrix<S> a = grid_matrix<S>(symmetry_of(method), 6, 5, 1, Values::dominant, 1);
    EXPECT_NE(report_of(a, method).determinant, Determinant(0));
    std::fill(a.values.begin() + a.column_offsets[0], a.values.begin() + a.column_offsets[1], S(0));
    EXPECT_EQ(report_of(a, method).determinant, Determinant(0));
  }
}

TYPED_TEST(PivotDeterminantTest, HasTheSameBitsForAnyNumberOfThreads) {
  using S = TypeParam;
  for (const Method method : kAllMethods) {
    const SparseMatrix<S> a = grid_matrix<S>(symmetry_of(method), 11, 10, 9, values_for(method), 3);
    const Determinant expected = report_of(a, method).determinant;
    EXPECT_GT(std::abs(expected.log2_modulus()), 100);
    for (const int num_threads : {2, 4}) {
      EXPECT_EQ(report_of(a, method, {}, num_threads).determinant, expected);
    }
  }
}

TEST(PivotDeterminant, HoldsPivotsOfAnySize) {
  const double decade = std::log2(10.0);
  std::vector<double> lower = {1e-180, 0, 0, 0, 1e200, 0, 0, 0, 1e-210};
  FrontFactor<double> front;
  front.order = front.num_fully_summed = front.num_eliminated = 3;
  front.layout = {3, 3, 3};
  front.lower = lower.data();
  EXPECT_NEAR(determinant_of_pivots(front, Method::cholesky, 0).log2_modulus(), -380 * decade, 1e-9);

  std::vector<double> d = {3e-200, 5e-200, 1e-200, 0, 1e300, 0};
  std::vector<PivotKind> pivots = {PivotKind::two_by_two, PivotKind::second_of_two, PivotKind::one_by_one};
  front.d = d.data();
  front.pivots = pivots.data();
  const Determinant determinant = determinant_of_pivots(front, Method::ldlt, 0);
  EXPECT_NEAR(determinant.log2_modulus(), std::log2(22) - 100 * decade, 1e-9);
  EXPECT_LT(determinant.mantissa.real(), 0);
}

}  // namespace
}  // namespace frond::test
