// SPDX-License-Identifier: BSD-3-Clause
// Tests symmetric systems without fronts whose pivots are pairs: saddle points, of which theory gives the inertia.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "frond/factorization.hpp"
#include "solver/thin/lane_system.hpp"
#include "solver/thin/thin_analysis.hpp"
#include "solver/thin/weak_pairs.hpp"
#include "tests/support/matrices/kkt_matrices.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/oracles/dense_determinant.hpp"
#include "tests/support/thin_options.hpp"
#include "tests/support/typed_tests.hpp"

namespace frond {
namespace {

using testing::KktKind;
using testing::with_thin;

/// Draws other values of D, and of A times -1 or 1: the inertia stays.
void draw_values(SparseMatrix<double>& matrix, Index num_variables, std::mt19937_64& random) {
  std::uniform_real_distribution<double> exponent(-1, 1);
  for (Index j = 0; j < matrix.num_cols; ++j) {
    for (Count entry = matrix.column_offsets[j]; entry < matrix.column_offsets[j + 1]; ++entry) {
      const bool is_of_d = matrix.row_indices[entry] == j && j < num_variables;
      matrix.values[entry] = is_of_d ? std::pow(10.0, exponent(random)) : matrix.values[entry];
    }
  }
}

bool is_thin(const Factorization<double>& factorization) { return factorization.analysis().thin() != nullptr; }

TEST(PairedThinSystem, HasTheInertiaThatTheoryGives) {
  int num_thin = 0;
  Count num_pairs = 0;
  for (int seed = 1; seed <= 60; ++seed) {
    const KktKind kind{.seed = static_cast<std::uint64_t>(seed), .exponent = 2 + seed % 11, .most_scaled = seed % 3};
    SparseMatrix<double> matrix = testing::kkt_matrix(kind);
    Factorization<double> factorization(matrix, with_thin(Use::always));
    std::mt19937_64 random(kind.seed);
    for (int round = 0; round < 3; ++round) {
      const FactorizationReport& report = factorization.report().factorization;
      EXPECT_EQ(factorization.report().method, Method::ldlt);
      EXPECT_EQ(report.inertia.positive, kind.num_variables) << seed << ' ' << round;
      EXPECT_EQ(report.inertia.negative, kind.num_rows) << seed << ' ' << round;
      EXPECT_EQ(report.inertia.zero, 0);
      num_thin += is_thin(factorization) ? 1 : 0;
      if (is_thin(factorization)) {
        num_pairs += report.num_two_by_two;
        EXPECT_NE(report.smallest_pivot_sign, 0);
        const test::DenseDeterminant expected = test::dense_determinant(testing::dense(matrix));
        EXPECT_LE(test::relative_difference(report.determinant, expected.value), expected.tolerance + 1e-12) << seed;
      }
      const std::vector<double> b(static_cast<std::size_t>(matrix.num_cols), 1.0);
      std::vector<double> x(b.size());
      EXPECT_EQ(factorization.solve(b, x).verdict, Verdict::solved) << seed << ' ' << round;
      draw_values(matrix, kind.num_variables, random);
      factorization.refactorize(matrix.values);
    }
  }
  EXPECT_GE(num_thin, 90) << "of 180";
  EXPECT_GE(num_pairs, 5 * num_thin) << "of up to 20 in each";
}

// [D A^T; A -1e-8 I], where some rows of A depend on others: what is left of their pairs has nothing off the diagonal.
TEST(PairedThinSystem, TakesSingleVariablesOfPairsThatAreNone) {
  int num_thin = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const SparseMatrix<double> matrix = testing::kkt_matrix({.seed = seed, .exponent = 2, .num_dependent = 3});
    Triplets<double> entries{matrix.num_rows, matrix.num_cols, Symmetry::symmetric};
    testing::for_each_entry(matrix, [&](Index i, Index j, double value) { entries.add(i, j, value); });
    for (Index k = 30; k < matrix.num_cols; ++k) {
      entries.add(k, k, -1e-8);
    }
    SparseMatrix<double> regular = compress(std::move(entries));
    Factorization<double> factorization(regular, with_thin(Use::always));
    std::mt19937_64 random(seed);
    for (int round = 0; round < 3; ++round) {
      const FactorizationReport& report = factorization.report().factorization;
      EXPECT_EQ(report.inertia.positive, 30) << seed << ' ' << round;
      EXPECT_EQ(report.inertia.negative, 23) << seed << ' ' << round;
      num_thin += report.max_front_order == 0 ? 1 : 0;
      const std::vector<double> b(static_cast<std::size_t>(regular.num_cols), 1.0);
      std::vector<double> x(b.size());
      EXPECT_EQ(factorization.solve(b, x).verdict, Verdict::solved) << seed << ' ' << round;
      draw_values(regular, 30, random);
      factorization.refactorize(regular.values);
    }
  }
  EXPECT_GE(num_thin, 100) << "of 120";
}

TEST(PairedThinSystem, LeavesSingularOnesToFronts) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const SparseMatrix<double> matrix = testing::kkt_matrix({.seed = seed, .exponent = 2, .num_dependent = 2});
    const Factorization<double> factorization(matrix, with_thin(Use::always));
    EXPECT_EQ(factorization.report().rank.highest, 50) << seed;
    EXPECT_EQ(factorization.report().factorization.inertia.zero, 2) << seed;
  }
}

TEST(PairedThinSystem, TakesBothTrianglesAndOne) {
  const SparseMatrix<double> triangle = testing::kkt_matrix({.exponent = 2});
  const SparseMatrix<double> whole = expand_to_general(triangle.view());
  const std::vector<double> b(static_cast<std::size_t>(triangle.num_cols), 1.0);
  std::vector<double> x(b.size());
  std::vector<double> y(b.size());
  const Factorization<double> of_triangle(triangle, with_thin(Use::always));
  const Factorization<double> of_whole(whole, with_thin(Use::always));
  ASSERT_TRUE(is_thin(of_triangle) && is_thin(of_whole));
  EXPECT_EQ(of_whole.report().method, Method::ldlt);
  EXPECT_EQ(of_whole.report().factorization.inertia.negative, 20);
  (void)of_triangle.solve(b, x);
  (void)of_whole.solve(b, y);
  for (std::size_t k = 0; k < x.size(); ++k) {
    EXPECT_NEAR(x[k], y[k], 1e-9 * std::abs(y[k]) + 1e-12);
  }
}

TEST(PairedThinSystem, SolvesAPairWithSmallDiagonalEntriesOfAnySign) {
  for (const auto& [a, c, negative] : {std::tuple{-1e-4, 1e-4, 1}, {0.0, 0.0, 1}, {1e-3, -2e-3, 1}, {-3e-3, 0.0, 1}}) {
    Triplets<double> entries{2, 2, Symmetry::symmetric};
    entries.add(0, 0, a);
    entries.add(1, 0, 1);
    entries.add(1, 1, c);
    const SparseMatrix<double> matrix = compress(std::move(entries));
    const Factorization<double> pair(matrix, with_thin(Use::always));
    ASSERT_TRUE(is_thin(pair));
    EXPECT_EQ(pair.report().factorization.num_two_by_two, 1);
    EXPECT_EQ(pair.report().factorization.inertia.negative, negative);
    EXPECT_EQ(pair.report().factorization.smallest_pivot_sign, a + c < 0 ? 1 : -1);
  }
}

// The sum of both parts of an entry leaves the range.
TEST(WeakPairs, AreFoundAmongHugeComplexEntries) {
  constexpr double kLargest = 1.5e308;
  Triplets<std::complex<double>> entries{3, 3, Symmetry::symmetric};
  entries.add(0, 0, {1e290, 0});
  entries.add(1, 0, {kLargest, kLargest});
  entries.add(1, 1, {1e300, 0});
  entries.add(2, 0, {1e307, 0});
  entries.add(2, 2, {1e308, 0});
  EXPECT_EQ(weak_pairs(compress(std::move(entries)).view()), (std::vector<Index>{1, 0, 2}));
}

template <class S>
class PairedThinSystemTest : public ::testing::Test {};
using PairedScalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(PairedThinSystemTest, PairedScalars);

TYPED_TEST(PairedThinSystemTest, SolvesAloneAndInLanes) {
  using S = TypeParam;
  using R = RealOf<S>;
  SparseMatrix<double> real = testing::kkt_matrix({.exponent = 2});
  std::mt19937_64 random(1);
  draw_values(real, 30, random);
  SparseMatrix<S> matrix{real.num_rows, real.num_cols, real.symmetry, real.column_offsets, real.row_indices, {}};
  matrix.values.assign(real.values.begin(), real.values.end());
  const Index order = matrix.num_cols;
  const Analysis analysis = analyze(matrix, with_thin(Use::always));
  ASSERT_TRUE(analysis.thin());
  const std::shared_ptr<const ThinSystem<S>> leader = ThinSystem<S>::factorize(analysis.thin(), SystemMatrix<S>(matrix));
  ASSERT_TRUE(leader && LaneSystem<S>::suits(*leader));
  const DenseMatrix<S> b = testing::random_dense<S>(order, kLanes<S>, 5);
  DenseMatrix<S> x(order, kLanes<S>);
  LaneSystem<S> lanes(leader);
  const std::vector<SystemMatrix<S>> systems(kLanes<S>, SystemMatrix<S>(matrix));
  const auto reports = lanes.solve({std::span(systems), view_of(b), view_of(x), 1, Operation::plain});
  const Factorization<S> alone(analysis, matrix);
  for (int k = 0; k < kLanes<S>; ++k) {
    DenseMatrix<S> y(order, 1);
    ASSERT_EQ(alone.solve(view_of(b).columns(k, k + 1), view_of(y)).verdict, Verdict::solved);
    ASSERT_TRUE(reports[k]);
    EXPECT_EQ(reports[k]->verdict, Verdict::solved);
    for (Index i = 0; i < order; ++i) {
      EXPECT_LE(std::abs(x(i, k) - y(i, 0)), 1e5 * std::numeric_limits<R>::epsilon() * (std::abs(y(i, 0)) + 1)) << i;
    }
  }
}

}  // namespace
}  // namespace frond
