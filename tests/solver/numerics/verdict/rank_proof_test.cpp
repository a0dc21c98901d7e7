// SPDX-License-Identifier: BSD-3-Clause
// Tests verdicts of singularity and their proofs.
#include "solver/numerics/problem/rank_proof.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>
#include <vector>

#include "factorization/factorize.hpp"
#include "frond/dense.hpp"
#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "matrices/model_problems.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/numerics/scaling/scaling.hpp"
#include "solver/numerics/sweeps/solve.hpp"
#include "solver/numerics/verdict/bauer_skeel.hpp"
#include "solver/numerics/verdict/null_vectors.hpp"
#include "tests/dense/dense_algebra.hpp"
#include "tests/support/matrices/stokes_matrices.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

// Solves with b = A x for an x of ones, which is consistent.
SolveReport solve_for_ones(const Factorization<double>& factorization, const SparseMatrix<double>& matrix) {
  const std::vector<double> ones(static_cast<std::size_t>(matrix.num_rows), 1);
  std::vector<double> b(ones.size());
  std::vector<double> x(ones.size());
  multiply<double>(matrix.view(), Operation::plain, ones, b);
  return factorization.solve(b, x);
}

// Small pivots that stand for zeros are hidden by each other's rounding errors.
TEST(RankProof, FindsThePressuresThatAStokesProblemLeavesOpen) {
  using enum testing::StokesPair;
  const std::vector<std::vector<testing::StokesPair>> kinds = {
      {staggered}, {unstable}, {staggered, staggered}, {staggered, unstable}, {staggered, staggered, staggered}};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const testing::StokesKind kind{.seed = seed,
                                   .domains = kinds[seed % kinds.size()],
                                   .num_cells = static_cast<Index>(6 + seed % 7),
                                   .orders = 2 + static_cast<double>(seed % 5),
                                   .most_scaled = seed % 2 == 0 ? 20 : 0};
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const SparseMatrix<double> triangle = testing::stokes_matrix(kind);
    for (const SparseMatrix<double>& matrix : {triangle, expand_to_general(triangle.view())}) {
      const Factorization<double> factorization(analyze(matrix), matrix);
      const SystemReport& report = factorization.report();
      EXPECT_EQ(report.rank.status, RankVerdict::singular);
      EXPECT_EQ(report.rank.lowest, matrix.num_cols - testing::num_null_vectors(kind));
      EXPECT_EQ(report.rank.highest, report.rank.lowest);
      EXPECT_EQ(solve_for_ones(factorization, matrix).num_met(), 1);
    }
  }
}

// Constant vectors span the null space of a connected graph's Laplacian, whose entries are exact. The last pivot is the noise of
// eliminating with one that is small itself: 4e-8 of the largest entry.
TEST(RankProof, DoubtsPivotsThatNoiseMayHaveMade) {
  struct Edge {
    Index from;
    Index to;
    int exponent;  // of its weight
  };
  constexpr Edge kEdges[] = {{0, 1, 3}, {0, 2, 8}, {0, 3, -7}, {0, 4, 21}, {1, 2, 6}, {1, 3, -10}, {1, 4, 17}, {2, 3, -19}};
  Triplets<double> entries{.num_rows = 5, .num_cols = 5, .symmetry = Symmetry::symmetric};
  for (const auto& [from, to, exponent] : kEdges) {
    const double weight = std::ldexp(1.0, exponent);
    entries.add(to, from, -weight);
    entries.add(from, from, weight);
    entries.add(to, to, weight);
  }
  const SparseMatrix<double> matrix = compress(std::move(entries));
  const Factorization<double> factorization(analyze(matrix), matrix);
  EXPECT_EQ(factorization.report().rank.status, RankVerdict::singular);
  EXPECT_EQ(factorization.report().rank.highest, 4);
}

// [1 1; 1 1 + d] is singular, given entries known to tau = 32 eps, up to about d = 4 tau = 128 eps: all four entries may change.
TEST(RankProof, DrawsTheLineWhereTheDefinitionDoes) {
  for (const double units : {0.0, 1.0, 4.0, 16.0, 60.0, 120.0, 136.0, 300.0, 1e4, 1e8}) {
    SCOPED_TRACE(::testing::Message() << units << " eps");
    Triplets<double> entries{.num_rows = 2, .num_cols = 2};
    entries.add(0, 0, 1);
    entries.add(0, 1, 1);
    entries.add(1, 0, 1);
    entries.add(1, 1, 1 + units * kEps);
    const SparseMatrix<double> matrix = compress(std::move(entries));
    const Factorization<double> factorization(analyze(matrix), matrix);
    const SystemReport& report = factorization.report();
    if (report.rank.status == RankVerdict::singular) {
      EXPECT_LE(units, 4 * kSingularUnits);
    } else if (report.rank.status == RankVerdict::nonsingular || report.rank.status == RankVerdict::presumed) {
      EXPECT_GT(units, 4 * kSingularUnits);
    }
    EXPECT_TRUE(units > 60 || report.factorization.status == FactorizationStatus::singular);
    EXPECT_TRUE(units < 1e4 || report.factorization.status == FactorizationStatus::success);
  }
}

TEST(RankProof, CallsLaplaciansAndBiharmonicOperatorsNonsingular) {
  const Index length = 1000000;
  Triplets<double> entries{.num_rows = length, .num_cols = length, .symmetry = Symmetry::symmetric};
  for (Index i = 0; i < length; ++i) {
    entries.add(i, i, 2);
    if (i > 0) {
      entries.add(i, i - 1, -1);
    }
  }
  const SparseMatrix<double> line = compress(std::move(entries));
  EXPECT_EQ(Factorization<double>(analyze(line), line).report().factorization.status, FactorizationStatus::success);

  const Index side = 120;
  Triplets<double> plate{.num_rows = side * side, .num_cols = side * side, .symmetry = Symmetry::symmetric};
  constexpr int kStencil[3][3] = {{20, -8, 1}, {-8, 2, 0}, {1, 0, 0}};
  for (Index i = 0; i < side; ++i) {
    for (Index j = 0; j < side; ++j) {
      for (Index k = std::max<Index>(0, i - 2); k <= i; ++k) {
        for (Index l = std::max<Index>(0, j - 2); l <= std::min(side - 1, j + 2); ++l) {
          const int value = kStencil[i - k][std::abs(j - l)];
          if (value != 0 && (k < i || l <= j)) {
            plate.add(i * side + j, k * side + l, value);
          }
        }
      }
    }
  }
  const SparseMatrix<double> biharmonic = compress(std::move(plate));
  EXPECT_EQ(Factorization<double>(analyze(biharmonic), biharmonic).report().factorization.status, FactorizationStatus::success);
}

/// A matrix with its factors and scales.
template <class S>
struct Factorized {
  SparseMatrix<S> matrix;
  std::shared_ptr<const Symbolic> symbolic = analyze(matrix).parts().symbolic;
  Scaling<RealOf<S>> scaling = find_scaling(matrix.view(), {}, symbolic->row_of_column(), symbolic->blocks());
  FactorizationResult<S> result = factorize<S>(symbolic, Method::lu, matrix.values, scaling.rows, scaling.cols, {});
  SolvePlan plan{symbolic->tree()};
  SolveInPlace<S> solve = [this](const Sweep<S>& sweep) { solve_with_factors(*result.factors, plan, sweep, 1); };
  ScaledSystem<S> system{matrix.view(), scaling.rows, scaling.cols, solve};
};

// Returns rho(|A^-1| |A|) by the power method.
template <class S>
double bauer_skeel_of(const SparseMatrix<S>& matrix) {
  const auto a = test::wide(testing::dense(matrix));
  const Eigen::MatrixXd product = test::inverse(a).cwiseAbs() * a.cwiseAbs();
  Eigen::VectorXd v = Eigen::VectorXd::Ones(product.rows());
  double rho = 0;
  for (int step = 0; step < 2000; ++step) {
    v = product * v;
    rho = v.maxCoeff();
    v /= rho;
  }
  return rho;
}

template <class S>
class BauerSkeel : public ::testing::Test {};
using DoubleScalars = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(BauerSkeel, DoubleScalars);

TYPED_TEST(BauerSkeel, IsBoundedFromAboveForAnyScales) {
  using S = TypeParam;
  for (const auto flavour : {testing::Flavour::dominant, testing::Flavour::zero_diagonal, testing::Flavour::graded}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed);
      Factorized<S> system{testing::random_matrix<S>(24, 4, Symmetry::general, flavour, seed)};
      const double exact = bauer_skeel_of(system.matrix);
      EXPECT_GE(3 * estimate_bauer_skeel(system.system, 1e15).bound, exact);   // norms are estimated to a factor of 3
      EXPECT_LE(estimate_bauer_skeel(system.system, 0.0).bound, 300 * exact);  // for the best scales that it finds
      EXPECT_LE(estimate_contraction(system.system, std::vector<double>(24, 1.0)), 1e-6);
    }
  }
}

// With factors of a neighbour, one entry of which differs by a tenth, about a tenth of the error remains; factors of -A do not
// contract.
TEST(Contraction, TellsFactorsOfOtherMatrices) {
  Factorized<double> system{testing::random_matrix<double>(24, 4, Symmetry::general, testing::Flavour::dominant, 3)};
  const double own = estimate_contraction(system.system, std::vector<double>(24, 1.0));
  EXPECT_LT(own, 1e-12);
  std::vector<double> changed = system.matrix.values;
  const ScaledSystem<double> neighbour{{system.matrix.pattern(), changed}, system.scaling.rows, system.scaling.cols, system.solve};
  *std::max_element(changed.begin(), changed.end()) *= 1.1;
  EXPECT_GT(estimate_contraction(neighbour, std::vector<double>(24, 1.0)), 1e-3);
  EXPECT_LT(estimate_contraction(neighbour, std::vector<double>(24, 1.0)), 0.5);
  std::transform(changed.begin(), changed.end(), changed.begin(), [](double value) { return -value; });
  EXPECT_GT(estimate_contraction(neighbour, std::vector<double>(24, 1.0)), 1);
}

}  // namespace
}  // namespace frond
