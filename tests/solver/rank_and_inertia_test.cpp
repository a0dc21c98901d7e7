// SPDX-License-Identifier: BSD-3-Clause
// Tests rank, inertia and determinant against exactly known values, or against eigenvalues and singular values.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "tests/dense/dense_algebra.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/oracles/known_expectations.hpp"

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
      const Factorization<S> factorization(analyze(known.matrix, options), known.matrix);
      testing::expect_as_known(known, factorization.report());
    }
  }
}

// Returns a random matrix of the given rank: a random core, extended by combinations of its rows and columns.
template <Scalar S>
SparseMatrix<S> random_of_rank(Index order, Index rank, Symmetry symmetry, std::uint64_t seed) {
  const Flavour flavour = seed % 2 == 0 ? Flavour::zero_diagonal : Flavour::dominant;
  const SparseMatrix<S> core = testing::random_matrix<S>(rank, 2 + static_cast<Index>(seed % 4), symmetry, flavour, seed);
  const DenseMatrix<S> dense_core = testing::dense(core);
  DenseMatrix<S> a(order, order);
  for (Index j = 0; j < rank; ++j) {
    std::copy_n(dense_core.column(j).begin(), rank, a.column(j).begin());
  }
  for (Index k = rank; k < order; ++k) {  // combinations of two earlier equations, symmetrically
    const Index first = (7 * k) % rank;
    const Index second = (5 * k + 3) % rank;
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
      const auto noise = 100 * std::numeric_limits<RealOf<S>>::epsilon();  // sums that cancel are not entries
      if (std::abs(a(i, j)) > noise) {
        triplets.add(i, j, a(i, j));
      }
    }
  }
  return compress(std::move(triplets));
}

// Returns how many magnitudes lie above a gap of at least 1e4 that ends at rounding errors; nothing if there is no such gap.
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

TYPED_TEST(RankAndInertiaTest, AgreeWithEigenvaluesAndSingularValues) {
  using S = TypeParam;
  using R = RealOf<S>;
  const double eps = static_cast<double>(std::numeric_limits<R>::epsilon());
  int num_decided = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::hermitian}) {
      const Index order = 20 + static_cast<Index>(seed) * 3;
      const SparseMatrix<S> matrix = random_of_rank<S>(order, order - static_cast<Index>(seed % 5) * 2, symmetry, seed);
      const test::WideDense<S> dense = test::wide(testing::dense(matrix));
      SCOPED_TRACE("seed " + std::to_string(seed) + ", symmetry " + std::to_string(static_cast<int>(symmetry)));
      const FactorizationReport report = Factorization<S>(analyze(matrix), matrix).report().factorization;
      const Eigen::VectorXd magnitudes = test::singular_values(dense);
      const std::optional<Index> rank = rank_by_gap(magnitudes, eps);
      if (!rank) {
        continue;
      }
      ++num_decided;
      EXPECT_EQ(order - static_cast<Index>(report.null_pivots.size()), *rank);
      if (symmetry == Symmetry::hermitian) {
        const Eigen::VectorXd eigenvalues = test::eigenvalues(dense);
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
