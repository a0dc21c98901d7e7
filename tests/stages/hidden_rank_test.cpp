// SPDX-License-Identifier: BSD-3-Clause
// Tests singular matrices whose pivots do not show it: their rank, and what factors of a nearby matrix may claim, checked by exact
// elimination.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "frond/matrix.hpp"
#include "matrices/explicit_zeros.hpp"
#include "matrices/products.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/low_rank_matrices.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::stages {
namespace {

using testing::as_sparse;
using testing::IntegerMatrix;
using testing::low_rank_matrix;
using testing::rank_of;

template <class S>
class HiddenRank : public ::testing::Test {};
using DoubleScalars = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(HiddenRank, DoubleScalars);

StageOptions keeping(KeptFactors kept) {
  StageOptions options;
  options.solver.factorization.kept = kept;
  return options;
}

StageOptions with_bounds(bool is_mixed, PivotingKind pivoting) {
  StageOptions options;
  options.solver.mixed_precision = is_mixed;
  options.solver.factorization.pivoting.kind = pivoting;
  options.solver.error_bounds = ErrorBounds::first_column;
  return options;
}

// Pivots of LU shrink one after another, and no threshold separates those that stand for zeros.
TYPED_TEST(HiddenRank, IsFoundByTheConditionOfTheRest) {
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    for (std::uint64_t seed = 1; seed <= num_seeds(12); ++seed) {
      for (const Index defect : {1, 2, 25}) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed << ", defect " << defect);
        const IntegerMatrix exact = low_rank_matrix(50, defect, symmetry, seed);
        const SparseMatrix<TypeParam> matrix = as_sparse<TypeParam>(exact);
        for (const KeptFactors kept : {KeptFactors::all, KeptFactors::none}) {
          const auto factorization = factorize<TypeParam>(matrix, keeping(kept));
          EXPECT_EQ(50 - static_cast<Index>(factorization->report().factorization.null_pivots.size()), rank_of(exact));
        }
      }
    }
  }
}

// Factors in single precision may be those of a regular matrix.
TYPED_TEST(HiddenRank, IsNotLostInMixedPrecision) {
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    for (std::uint64_t seed = 1; seed <= num_seeds(20); ++seed) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed);
      const IntegerMatrix exact = low_rank_matrix(40, 1, symmetry, seed);
      const SparseMatrix<TypeParam> matrix = as_sparse<TypeParam>(exact);
      const auto factorization = factorize<TypeParam>(matrix, with_bounds(true, PivotingKind::threshold));
      DenseMatrix<TypeParam> x(40, 1);
      const SolveReport report = factorization->solve(testing::random_dense<TypeParam>(40, 1, seed), x);
      EXPECT_EQ(report.verdict, Verdict::singular) << report.describe();
      EXPECT_EQ(40 - report.num_null_pivots(), rank_of(exact));
    }
  }
}

/// Returns a regular matrix next to a singular one: the last entry is changed by 2^-exponent.
template <class S>
SparseMatrix<S> nearly_singular(std::uint64_t seed, int exponent) {
  SparseMatrix<S> matrix = as_sparse<S>(low_rank_matrix(12, 1, Symmetry::general, seed));
  matrix.values.back() += S(std::ldexp(RealOf<S>(1), -exponent));
  return matrix;
}

// The solution is known, and rounding b = A x changes it by no more than the backward error allows.
TYPED_TEST(HiddenRank, BoundsHoldWithFactorsOfANeighbour) {
  std::uint64_t num_bounded = 0;
  for (const bool is_mixed : {false, true}) {
    for (const PivotingKind pivoting : {PivotingKind::threshold, PivotingKind::static_structure}) {
      for (std::uint64_t seed = 1; seed <= num_seeds(30); ++seed) {
        SCOPED_TRACE(::testing::Message() << "mixed " << is_mixed << ", static " << (pivoting == PivotingKind::static_structure)
                                          << ", seed " << seed);
        const SparseMatrix<TypeParam> matrix = nearly_singular<TypeParam>(seed, static_cast<int>(seed));
        const auto factorization = factorize<TypeParam>(matrix, with_bounds(is_mixed, pivoting));
        DenseMatrix<TypeParam> exact(12, 1);
        for (std::size_t i = 0; i < exact.values.size(); ++i) {
          exact.values[i] = TypeParam(static_cast<double>(i % 3) + 1);
        }
        DenseMatrix<TypeParam> b(12, 1);
        DenseMatrix<TypeParam> x(12, 1);
        multiply<TypeParam>(matrix.view(), Operation::plain, exact.values, b.values);
        const SolveReport report = factorization->solve(b, x);
        if (report.verdict != Verdict::solved || std::isnan(report.columns[0].forward_error_bound)) {
          continue;
        }
        double error = 0;
        for (std::size_t i = 0; i < x.values.size(); ++i) {
          error = std::max(error, std::abs(x.values[i] - exact.values[i]));
        }
        EXPECT_LE(error / 3, 3 * report.columns[0].forward_error_bound) << report.describe();  // estimates: allow a factor of 3
        ++num_bounded;
      }
    }
  }
  EXPECT_GE(num_bounded, 2 * num_seeds(30));
}

// A variable without entries is singular by the pattern, for all values: its pivot must not be perturbed.
TYPED_TEST(HiddenRank, OfThePatternIsNotPerturbedAway) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = compress(Triplets<S>{3, 3, Symmetry::general, {0, 1}, {0, 1}, {S(1), S(1)}});
  StageOptions options;
  options.solver.factorization.pivoting.kind = PivotingKind::static_structure;
  DenseMatrix<S> b(3, 1);
  b.values = {S(1), S(2), S(0)};
  DenseMatrix<S> x(3, 1);
  const SolveReport report = factorize<S>(matrix, options)->solve(b, x);
  EXPECT_EQ(report.verdict, Verdict::singular);
  EXPECT_EQ(report.null_pivots, (std::vector<Index>{2}));
}

// Where the matrix is singular, factors with perturbed pivots give no error bounds, and a note says so.
TYPED_TEST(HiddenRank, LeavesNoBoundsBehindPerturbedPivots) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = as_sparse<S>(low_rank_matrix(30, 1, Symmetry::general, 5));
  const auto factorization = factorize<S>(matrix, with_bounds(false, PivotingKind::static_structure));
  ASSERT_GT(factorization->report().factorization.num_perturbed_pivots, 0);
  DenseMatrix<S> x(30, 1);
  const SolveReport report = factorization->solve(testing::random_dense<S>(30, 1, 6), x);
  ASSERT_EQ(report.columns.size(), 1U);
  EXPECT_TRUE(std::isnan(report.columns[0].forward_error_bound)) << report.describe();
  EXPECT_FALSE(report.notes.empty());
}

// Models pages of which most link to nothing, and some link to what two others link to. With static pivoting few of the null
// vectors show up as null pivots; with threshold pivoting all do.
TYPED_TEST(HiddenRank, IsKnownByTheStructureWherePivotsDoNotShowIt) {
  using S = TypeParam;
  constexpr Index kOrder = 120;
  for (std::uint64_t seed = 1; seed <= num_seeds(20); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    IntegerMatrix exact{kOrder, Symmetry::general, std::vector<std::int64_t>(std::size_t{kOrder} * kOrder)};
    for (std::size_t link = 0; link < 160; ++link) {
      exact.entries[random() % 20 + random() % kOrder * kOrder] = 1;
    }
    for (std::size_t col = 0; col < kOrder; ++col) {
      for (std::size_t row = 0; row < 6; ++row) {
        exact.entries[30 + row + col * kOrder] = exact.entries[2 * row + col * kOrder] + exact.entries[2 * row + 1 + col * kOrder];
      }
    }
    const SparseMatrix<S> matrix = without_zeros(as_sparse<S>(exact).view());
    for (const PivotingKind pivoting : {PivotingKind::threshold, PivotingKind::static_structure}) {
      const auto factorization = factorize<S>(matrix, with_bounds(false, pivoting));
      const RankProof& rank = factorization->report().rank;
      EXPECT_EQ(rank.status, RankVerdict::singular);
      EXPECT_EQ(rank.lowest, rank_of(exact));
      EXPECT_EQ(rank.highest, rank_of(exact));
      DenseMatrix<S> x(kOrder, 1);
      DenseMatrix<S> b(kOrder, 1);
      multiply<S>(matrix.view(), Operation::plain, std::vector<S>(kOrder, S(1)), b.values);
      const SolveReport report = factorization->solve(b, x);
      EXPECT_EQ(report.verdict, Verdict::singular);
      EXPECT_NE(report.consistency(), frond::Consistency::inconsistent);
      EXPECT_NE(report.describe().find(fmt::format("numerical rank: {} of 120", rank_of(exact))), std::string::npos)
          << report.describe();
    }
  }
}

}  // namespace
}  // namespace frond::stages
