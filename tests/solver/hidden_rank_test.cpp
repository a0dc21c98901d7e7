// SPDX-License-Identifier: BSD-3-Clause
// Singular matrices whose pivots do not show it: rank, and what factors of a neighbouring matrix may say, judged by exact
// elimination.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "factorization/kernels/matrix_view.hpp"
#include "matrices/build.hpp"
#include "solver/factorization.hpp"
#include "tests/support/matrices/low_rank_matrices.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

using testing::as_sparse;
using testing::IntegerMatrix;
using testing::low_rank_matrix;
using testing::rank_of;

template <class S>
class HiddenRank : public ::testing::Test {};
using DoubleScalars = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(HiddenRank, DoubleScalars);

SolverOptions keeping(KeptFactors kept) {
  SolverOptions options;
  options.factorization.kept = kept;
  options.factorization.num_threads = 1;
  return options;
}

// Pivots of LU become small one after the other, and no threshold tells those that stand for zeros.
TYPED_TEST(HiddenRank, IsFoundByTheConditionOfTheRest) {
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      for (const Index defect : {1, 2, 25}) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed << ", defect " << defect);
        const IntegerMatrix exact = low_rank_matrix(50, defect, symmetry, seed);
        const SparseMatrix<TypeParam> matrix = as_sparse<TypeParam>(exact);
        const auto symbolic = analyze(matrix);
        for (const KeptFactors kept : {KeptFactors::all, KeptFactors::none}) {
          const Factorization<TypeParam> factorization(symbolic, matrix, keeping(kept));
          EXPECT_EQ(50 - static_cast<Index>(factorization.report().factorization.null_pivots.size()), rank_of(exact));
        }
      }
    }
  }
}

// Factors in single precision are those of a regular matrix.
TYPED_TEST(HiddenRank, IsNotLostInMixedPrecision) {
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed);
      const IntegerMatrix exact = low_rank_matrix(40, 1, symmetry, seed);
      const SparseMatrix<TypeParam> matrix = as_sparse<TypeParam>(exact);
      SolverOptions options = keeping(KeptFactors::all);
      options.precision = Precision::mixed;
      options.error_bounds = ErrorBounds::first_column;
      const Factorization<TypeParam> factorization(analyze(matrix), matrix, options);
      DenseMatrix<TypeParam> x(40, 1);
      const SolveReport report = factorization.solve(view_of(testing::random_dense<TypeParam>(40, 1, seed)), view_of(x));
      EXPECT_EQ(report.verdict, Verdict::singular) << report.describe();
      EXPECT_EQ(40 - report.num_null_pivots(), rank_of(exact));
    }
  }
}

/// A regular matrix next to a singular one: the last entry is changed by 2^-exponent.
template <class S>
SparseMatrix<S> nearly_singular(std::uint64_t seed, int exponent) {
  SparseMatrix<S> matrix = as_sparse<S>(low_rank_matrix(12, 1, Symmetry::general, seed));
  matrix.values.back() += S(std::ldexp(RealOf<S>(1), -exponent));
  return matrix;
}

// The solution is known, and b = A x is rounded by no more than the backward error allows for.
TYPED_TEST(HiddenRank, BoundsHoldWithFactorsOfANeighbour) {
  int num_bounded = 0;
  for (const bool is_mixed : {false, true}) {
    for (const PivotingKind pivoting : {PivotingKind::threshold, PivotingKind::static_structure}) {
      for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        SCOPED_TRACE(::testing::Message() << "mixed " << is_mixed << ", static " << (pivoting == PivotingKind::static_structure)
                                          << ", seed " << seed);
        const SparseMatrix<TypeParam> matrix = nearly_singular<TypeParam>(seed, static_cast<int>(seed));
        SolverOptions options = keeping(KeptFactors::all);
        options.precision = is_mixed ? Precision::mixed : Precision::full;
        options.factorization.pivoting.kind = pivoting;
        options.error_bounds = ErrorBounds::first_column;
        const Factorization<TypeParam> factorization(analyze(matrix), matrix, options);
        std::vector<TypeParam> exact(12);
        for (std::size_t i = 0; i < exact.size(); ++i) {
          exact[i] = TypeParam(static_cast<double>(i % 3) + 1);
        }
        std::vector<TypeParam> b(12);
        std::vector<TypeParam> x(12);
        multiply<TypeParam>(matrix.view(), Operation::plain, exact, b);
        const SolveReport report = factorization.solve(b, x);
        if (report.verdict != Verdict::solved || std::isnan(report.columns[0].forward_error_bound)) {
          continue;
        }
        double error = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
          error = std::max(error, std::abs(x[i] - exact[i]));
        }
        EXPECT_LE(error / 3, 3 * report.columns[0].forward_error_bound) << report.describe();  // estimates: within a factor of 3
        ++num_bounded;
      }
    }
  }
  EXPECT_GE(num_bounded, 60);
}

// Perturbed pivots stand for what no values could provide.
TYPED_TEST(HiddenRank, OfThePatternIsNotPerturbedAway) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = compress(Triplets<S>{3, 3, Symmetry::general, {0, 1}, {0, 1}, {S(1), S(1)}});
  SolverOptions options = keeping(KeptFactors::all);
  options.factorization.pivoting.kind = PivotingKind::static_structure;
  const Factorization<S> factorization(analyze(matrix), matrix, options);
  std::vector<S> x(3);
  const SolveReport report = factorization.solve(std::vector<S>{S(1), S(2), S(0)}, x);
  EXPECT_EQ(report.verdict, Verdict::singular);
  EXPECT_EQ(report.null_pivots, (std::vector<Index>{2}));
}

}  // namespace
}  // namespace frond
