// SPDX-License-Identifier: BSD-3-Clause
// Rank, inertia and determinant, exactly as they are known, or as eigenvalues and singular values decide.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "matrices/build.hpp"
#include "solver/factorization.hpp"
#include "tests/solver/known_expectations.hpp"
#include "tests/solver/test_systems.hpp"

namespace frond {
namespace {

using testing::Flavour;
using testing::KnownSystem;

template <class S>
class RankAndInertiaTest : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(RankAndInertiaTest, Scalars);

TYPED_TEST(RankAndInertiaTest, AreExactWhereTheyAreKnown) {
  using S = TypeParam;
  for (const KnownSystem<S>& known : testing::known_systems<S>()) {
    for (const int num_threads : {1, 2}) {
      SCOPED_TRACE(known.name + ", threads " + std::to_string(num_threads));
      SolverOptions options;
      options.factorization.num_threads = num_threads;
      const Factorization<S> factorization(analyze(known.matrix, options), known.matrix, options);
      testing::expect_as_known(known, factorization.report());
    }
  }
}

// Random matrices of the given rank: A X for a random symmetric A, or of full rank, sparse or dense.
template <Scalar S>
SparseMatrix<S> random_of_rank(Index order, Index rank, Symmetry symmetry, std::uint64_t seed) {
  const Flavour flavour = seed % 2 == 0 ? Flavour::zero_diagonal : Flavour::dominant;
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
  const SparseMatrix<S> core = testing::random_matrix<S>(rank, 2 + static_cast<Index>(seed % 4), symmetry, flavour, seed);
  const DenseMatrix<S> dense_core = testing::dense(core);
  Matrix a = Matrix::Zero(order, order);
  a.topLeftCorner(rank, rank) = Eigen::Map<const Matrix>(dense_core.values.data(), rank, rank);
  for (Index k = rank; k < order; ++k) {  // combinations of three equations before, symmetrically
    const Index first = (7 * k) % rank;
    const Index second = (5 * k + 3) % rank;
    // entry by entry: Eigen's vectors of complex floats are loaded as doubles from wherever they lie, which sanitizers refuse
    for (Index j = 0; j < order; ++j) {
      a(k, j) = a(first, j) - S(0.7F) * a(second, j);
    }
    for (Index i = 0; i < order; ++i) {
      a(i, k) = a(i, first) - S(0.7F) * a(i, second);
    }
  }
  Triplets<S> triplets{order, order, symmetry, {}, {}, {}};
  for (Index j = 0; j < order; ++j) {
    for (Index i = symmetry == Symmetry::general ? 0 : j; i < order; ++i) {
      const auto noise = 100 * std::numeric_limits<RealOf<S>>::epsilon();  // what cancels is no entry
      if (std::abs(a(i, j)) > noise) {
        triplets.add(i, j, a(i, j));
      }
    }
  }
  return compress(std::move(triplets));
}

// How many of the magnitudes are above a gap of 1e4 or more that ends at rounding errors; nothing where there is none.
std::optional<Index> rank_by_gap(Eigen::VectorXd magnitudes, double eps) {
  std::sort(magnitudes.begin(), magnitudes.end(), std::greater<>());
  const double noise = eps * static_cast<double>(magnitudes.size()) * magnitudes(0);
  for (Eigen::Index k = 0; k < magnitudes.size(); ++k) {
    if (magnitudes(k) <= noise) {
      return k == 0 || magnitudes(k - 1) >= 1e4 * noise ? std::optional<Index>(static_cast<Index>(k)) : std::nullopt;
    }
  }
  return magnitudes(magnitudes.size() - 1) >= 1e4 * noise ? std::optional<Index>(static_cast<Index>(magnitudes.size()))
                                                          : std::nullopt;
}

// The positive eigenvalues of [0 A; A^H 0], as many as A has rows, the largest first. Templates of real singular value
// decompositions take minutes to compile.
template <class Matrix>
Eigen::VectorXd singular_values(const Matrix& a) {
  Matrix both = Matrix::Zero(2 * a.rows(), 2 * a.rows());
  both.topRightCorner(a.rows(), a.rows()) = a;
  both.bottomLeftCorner(a.rows(), a.rows()) = a.adjoint();
  return Eigen::SelfAdjointEigenSolver<Matrix>(both, Eigen::EigenvaluesOnly).eigenvalues().tail(a.rows()).cwiseAbs().reverse();
}

TYPED_TEST(RankAndInertiaTest, AgreeWithEigenvaluesAndSingularValues) {
  using S = TypeParam;
  using R = RealOf<S>;
  using Wide = std::conditional_t<kIsComplex<S>, std::complex<double>, double>;
  using Matrix = Eigen::Matrix<Wide, Eigen::Dynamic, Eigen::Dynamic>;
  const double eps = static_cast<double>(std::numeric_limits<R>::epsilon());
  int num_decided = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::hermitian}) {
      const Index order = 20 + static_cast<Index>(seed) * 3;
      const SparseMatrix<S> matrix = random_of_rank<S>(order, order - static_cast<Index>(seed % 5) * 2, symmetry, seed);
      const DenseMatrix<S> dense = testing::dense(matrix);
      const Matrix wide = Eigen::Map<const Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>>(dense.values.data(), order, order)
                              .template cast<Wide>();
      SCOPED_TRACE("seed " + std::to_string(seed) + ", symmetry " + std::to_string(static_cast<int>(symmetry)));
      const FactorizationReport report = Factorization<S>(analyze(matrix), matrix).report().factorization;
      const Eigen::VectorXd magnitudes = singular_values(wide);
      const std::optional<Index> rank = rank_by_gap(magnitudes, eps);
      if (!rank) {
        continue;
      }
      ++num_decided;
      EXPECT_EQ(order - static_cast<Index>(report.null_pivots.size()), *rank);
      if (symmetry == Symmetry::hermitian) {
        const Eigen::VectorXd eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(wide, Eigen::EigenvaluesOnly).eigenvalues();
        const double tolerance = 100 * eps * order * magnitudes(0);  // in the middle of the gap
        EXPECT_EQ(report.inertia.positive, (eigenvalues.array() > tolerance).count());
        EXPECT_EQ(report.inertia.negative, (eigenvalues.array() < -tolerance).count());
        EXPECT_EQ(report.inertia.zero, order - *rank);
      }
    }
  }
  EXPECT_GE(num_decided, 40);
}

}  // namespace
}  // namespace frond
