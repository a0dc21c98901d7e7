// SPDX-License-Identifier: BSD-3-Clause
// Tests proofs of the rank of saddle point systems: all ranks must find the rank for which the matrix was constructed.
#include "solver/numerics/problem/rank_proof.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "matrices/products.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/kkt_matrices.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::stages {
namespace {

using testing::kkt_matrix;
using testing::KktKind;

void expect_inertia(const Inertia& inertia, Count positive, Count negative, Count zero) {
  EXPECT_EQ(inertia.positive, positive);
  EXPECT_EQ(inertia.negative, negative);
  EXPECT_EQ(inertia.zero, zero);
}

// Solves with b = A x for an x of ones, which is consistent.
SolveReport solve_for_ones(const StagedFactorization<double>& factorization, const SparseMatrix<double>& matrix) {
  const std::vector<double> ones(static_cast<std::size_t>(matrix.num_rows), 1);
  DenseMatrix<double> b(matrix.num_rows, 1);
  DenseMatrix<double> x(matrix.num_rows, 1);
  multiply<double>(matrix.view(), Operation::plain, ones, b.values);
  return factorization.solve(b, x);
}

TEST(RankProofOnStage, OfSaddlePointsIsNotLostInTheRangeOfTheirEntries) {
  for (std::uint64_t seed = 1; seed <= num_seeds(30); ++seed) {
    for (const int most_scaled : {0, 60}) {
      const KktKind kind{.seed = seed, .exponent = 6 + static_cast<int>(seed % 11), .most_scaled = most_scaled};
      SCOPED_TRACE(::testing::Message() << "seed " << seed << ", scaled up to 2^" << most_scaled);
      const SparseMatrix<double> matrix = kkt_matrix(kind);
      const auto factorization = factorize<double>(matrix, {});
      const FactorizationReport& report = factorization->report().factorization;
      EXPECT_EQ(report.status, FactorizationStatus::success);
      expect_inertia(report.inertia, 30, 20, 0);
      EXPECT_GT(report.determinant.mantissa.real(), 0);  // twenty negative eigenvalues
      EXPECT_EQ(solve_for_ones(*factorization, matrix).verdict, Verdict::solved);
    }
  }
}

TEST(RankProofOnStage, FindsAsManyNullVectorsAsRowsDepend) {
  for (Index dependent = 1; dependent <= 10; dependent += is_one_process() ? 1 : 4) {
    for (const int exponent : {6, 10, 16}) {
      SCOPED_TRACE(::testing::Message() << dependent << " dependent, 10^" << exponent);
      const SparseMatrix<double> matrix =
          kkt_matrix({.seed = 100 + static_cast<std::uint64_t>(dependent), .exponent = exponent, .num_dependent = dependent});
      const auto factorization = factorize<double>(matrix, {});
      const SystemReport& report = factorization->report();
      EXPECT_EQ(report.rank.status, RankVerdict::singular);
      EXPECT_EQ(report.rank.lowest, 50);
      EXPECT_EQ(report.rank.highest, 50);
      EXPECT_EQ(report.rank.num_vectors, dependent);
      EXPECT_LE(report.rank.number, kSingularTolerance<double>);
      EXPECT_LT(report.rank.rest, 1);
      expect_inertia(report.factorization.inertia, 30, 20, dependent);
      const SolveReport solved = solve_for_ones(*factorization, matrix);
      EXPECT_EQ(solved.verdict, Verdict::singular);
      EXPECT_EQ(solved.num_met(), 1) << solved.describe();
    }
  }
}

// Proves the rank of the block that is eliminated before a Schur complement of five variables.
TEST(RankProofOnStage, IsOfTheBlockThatASchurComplementLeavesOut) {
  for (const Index dependent : {0, 1, 4}) {
    const KktKind kind{.seed = 300 + static_cast<std::uint64_t>(dependent), .exponent = 12, .num_dependent = dependent};
    const SparseMatrix<double> triangle = testing::bordered(kkt_matrix(kind), 5);
    for (const SparseMatrix<double>& matrix : {triangle, expand_to_general(triangle.view())}) {
      SCOPED_TRACE(::testing::Message() << dependent << " dependent, general: " << (matrix.symmetry == Symmetry::general));
      StageOptions options;
      for (Index k = matrix.num_cols - 5; k < matrix.num_cols; ++k) {
        options.solver.analysis.schur_variables.push_back(k);
      }
      const auto factorization = factorize<double>(matrix, options);
      const SystemReport& report = factorization->report();
      EXPECT_TRUE(report.rank.is_certain());
      EXPECT_EQ(report.rank.status == RankVerdict::singular, dependent > 0);
      EXPECT_EQ(report.rank.lowest, 50);
      EXPECT_EQ(report.rank.highest, 50);
      EXPECT_EQ(report.factorization.null_pivots.size(), static_cast<std::size_t>(dependent));
      if (matrix.symmetry == Symmetry::symmetric) {
        expect_inertia(report.factorization.inertia, 30, 20, dependent);
      }
    }
  }
}

// The proof works in any units, and the complement survives where the factors, which the proof needs, are not kept.
TEST(RankProofOnStage, LeavesTheSchurComplementAlone) {
  for (const Index dependent : {0, 2}) {
    SparseMatrix<double> matrix = testing::bordered(kkt_matrix({.seed = 400, .exponent = 12, .num_dependent = dependent}), 5);
    std::for_each(matrix.values.begin(), matrix.values.end(), [](double& value) { value *= 0x1p60; });
    StageOptions options;
    for (Index k = matrix.num_cols - 5; k < matrix.num_cols; ++k) {
      options.solver.analysis.schur_variables.push_back(k);
    }
    std::vector<double> first;
    for (const KeptFactors kept : {KeptFactors::all, KeptFactors::none}) {
      options.solver.factorization.kept = kept;
      const auto factorization = factorize<double>(matrix, options);
      const SystemReport& report = factorization->report();
      EXPECT_EQ(report.rank.highest, 50);
      EXPECT_EQ(report.rank.lowest, 50);
      EXPECT_TRUE(report.rank.is_certain());
      EXPECT_EQ(report.rank.status == RankVerdict::singular, dependent > 0);
      expect_inertia(report.factorization.inertia, 30, 20, dependent);
      const DenseMatrix<double> complement = factorization->schur_complement();
      if (dependent == 0) {
        EXPECT_TRUE(first.empty() || complement.values == first || !is_one_process());
        first = complement.values;
      }
      const bool is_finite =
          std::all_of(complement.values.begin(), complement.values.end(), [](double s) { return std::isfinite(s); });
      EXPECT_EQ(is_finite, dependent == 0);
    }
  }
}

// The requested scales are used, and lose 20 digits here: without a proof, the matrix is not called singular.
TEST(RankProofOnStage, IsNotGivenWhereScalesLoseIt) {
  int num_in_doubt = 0;
  for (std::uint64_t seed = 1; seed <= num_seeds(20); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const SparseMatrix<double> matrix = kkt_matrix({.seed = seed, .exponent = 12});
    StageOptions options;
    options.solver.scaling = ScalingKind::equilibrate;
    const auto factorization = factorize<double>(matrix, options);
    const SystemReport& report = factorization->report();
    EXPECT_EQ(report.factorization.status, FactorizationStatus::success);
    EXPECT_EQ(report.rank.highest, 50);
    num_in_doubt += report.rank.status == RankVerdict::in_doubt ? 1 : 0;
    if (report.rank.is_certain()) {
      expect_inertia(report.factorization.inertia, 30, 20, 0);
    }
  }
  EXPECT_TRUE(num_in_doubt > 0 || !is_one_process()) << "these matrices have become easy: make them harder";
}

template <class S>
class RankProofOf : public ::testing::Test {};
TYPED_TEST_SUITE(RankProofOf, test::Scalars);

// Cholesky has no safer pivots and fails where a null pivot is searched for: LDLT reveals it. [1 1-d; 1-d 1] has the pivots 1 and
// about 2 d; its null vector (1, -1) satisfies both equations to d / 2.
TYPED_TEST(RankProofOf, SettlesTheRankOfCholeskyByAnother) {
  using S = TypeParam;
  const auto d = 15 * std::numeric_limits<RealOf<S>>::epsilon();
  const auto matrix = compress(Triplets<S>{2, 2, Symmetry::hermitian, {0, 1, 1}, {0, 0, 1}, {1, 1 - d, 1}});
  StageOptions options{{}, Layout::grid};
  const SystemReport automatic = factorize<S>(matrix, options)->report();
  EXPECT_EQ(automatic.factorization.status, FactorizationStatus::singular);
  EXPECT_EQ(automatic.method, kIsComplex<S> ? Method::ldlh : Method::ldlt);
  EXPECT_EQ(automatic.factorization.inertia.zero, 1);
  EXPECT_EQ(automatic.rank.status, RankVerdict::singular);
  EXPECT_TRUE(has_note(automatic.notes, "factorized once more"));
  options.solver.method = Method::cholesky;
  const SystemReport by_cholesky = factorize<S>(matrix, options)->report();
  EXPECT_EQ(by_cholesky.factorization.status, FactorizationStatus::singular);
  EXPECT_EQ(by_cholesky.rank.highest, 1);
  EXPECT_TRUE(by_cholesky.is_singular_by_condition);
  EXPECT_EQ(by_cholesky.method, Method::cholesky);
  EXPECT_GT(by_cholesky.equilibrated_condition * d, 1);
}

}  // namespace
}  // namespace frond::stages
