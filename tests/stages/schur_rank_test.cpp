// SPDX-License-Identifier: BSD-3-Clause
// Tests the verdict and the rank of whole systems solved by way of a Schur complement.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "frond/matrix.hpp"
#include "matrices/products.hpp"
#include "tests/dense/dense_algebra.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::testing {
namespace {

// A = B C of integers, exact in every scalar; B is order x rank. C = D B^T if A is symmetric, D B^H if it is Hermitian, D =
// diag(+-1, 2).
template <class S>
struct KnownProduct {
  std::string name;
  SparseMatrix<S> matrix;
  Index rank = 0;
  std::vector<Index> kept;  // the variables of a Schur complement
};

template <class S>
DenseMatrix<S> small_integers(Index num_rows, Index num_cols, std::mt19937_64& random) {
  std::uniform_int_distribution<int> draw(-3, 3);
  DenseMatrix<S> integers(num_rows, num_cols);
  for (S& value : integers.values) {
    value = S(static_cast<RealOf<S>>(draw(random)));
    if constexpr (kIsComplex<S>) {
      value += S(0, static_cast<RealOf<S>>(draw(random)));
    }
  }
  return integers;
}

template <class S>
KnownProduct<S> known_product(Index order, Index defect, Symmetry symmetry, Index num_kept, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const Index rank = order - defect;
  const DenseMatrix<S> b = small_integers<S>(order, rank, random);
  DenseMatrix<S> c = small_integers<S>(rank, order, random);
  for (Index k = 0; k < rank && symmetry != Symmetry::general; ++k) {
    const S d = S(static_cast<RealOf<S>>(k % 3 == 0 ? -1 : k % 3));
    for (Index j = 0; j < order; ++j) {
      c(k, j) = d * (symmetry == Symmetry::hermitian ? conjugate(b(j, k)) : b(j, k));
    }
  }
  Triplets<S> entries{order, order, symmetry};
  for (Index j = 0; j < order; ++j) {
    for (Index i = symmetry == Symmetry::general ? 0 : j; i < order; ++i) {
      S sum(0);
      for (Index k = 0; k < rank; ++k) {
        sum += b(i, k) * c(k, j);
      }
      entries.add(i, j, sum);
    }
  }
  KnownProduct<S> product;
  product.name = "order " + std::to_string(order) + ", defect " + std::to_string(defect) + ", symmetry " +
                 std::to_string(static_cast<int>(symmetry)) + ", kept " + std::to_string(num_kept) + ", seed " +
                 std::to_string(seed);
  product.matrix = compress(std::move(entries));
  product.rank = rank;
  product.kept.resize(static_cast<std::size_t>(num_kept));
  std::iota(product.kept.begin(), product.kept.end(), (seed * 5) % static_cast<std::uint64_t>(order - num_kept));
  return product;
}

// True if the ranks of A and of the eliminated block are so clear that rounding errors cannot hide them.
template <class S>
bool has_clear_rank(const KnownProduct<S>& product) {
  const auto order = static_cast<Eigen::Index>(product.matrix.num_rows);
  const double clear = 300 * static_cast<double>(order) * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  const test::WideDense<S> whole = test::wide(dense(product.matrix));
  const Eigen::VectorXd values = test::singular_values(whole);
  const auto num_kept = static_cast<Eigen::Index>(product.kept.size());
  const auto first = static_cast<Eigen::Index>(product.kept.front());
  const auto place = [=](Eigen::Index k) { return k < first ? k : k + num_kept; };
  test::WideDense<S> interior(order - num_kept, order - num_kept);
  for (Eigen::Index j = 0; j < interior.cols(); ++j) {
    for (Eigen::Index i = 0; i < interior.rows(); ++i) {
      interior(i, j) = whole(place(i), place(j));
    }
  }
  const Eigen::VectorXd values_inside = test::singular_values(interior);
  return values(static_cast<Eigen::Index>(product.rank) - 1) > clear * values(0) &&
         values_inside(values_inside.size() - 1) > clear * values_inside(0);
}

// Returns regular and singular matrices of all kinds, with fewer and with more kept variables than the rank deficiency.
template <class S>
std::vector<KnownProduct<S>> known_products() {
  constexpr bool kIsDouble = std::is_same_v<RealOf<S>, double>;
  std::vector<KnownProduct<S>> products;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
    for (const Index order : {Index{5}, Index{kIsDouble ? 12 : 8}, Index{kIsDouble ? 60 : 20}}) {
      for (const Index defect : {0, 1, 2, 3}) {
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
          KnownProduct<S> product = known_product<S>(order, defect, symmetry, std::max<Index>(defect, seed % 2 == 0 ? 1 : 4), seed);
          if (has_clear_rank(product)) {
            products.push_back(std::move(product));
          }
        }
      }
    }
  }
  return products;
}

}  // namespace
}  // namespace frond::testing

namespace frond::stages {
namespace {

using testing::KnownProduct;

template <class S>
class SchurRank : public ::testing::Test {
 protected:
  static void expect_known(const KnownProduct<S>& product, Operation operation, StagedFactorization<S>& factorization) {
    const Index n = product.matrix.num_rows;
    const DenseMatrix<S> solution = testing::random_dense<S>(n, 1, 7);
    DenseMatrix<S> b(n, 2);
    multiply<S>(product.matrix.view(), operation, solution.column(0), b.column(0));
    const DenseMatrix<S> any = testing::random_dense<S>(n, 1, 8);
    std::copy(any.values.begin(), any.values.end(), b.column(1).begin());
    DenseMatrix<S> x(n, 2);
    const SolveReport report = factorization.solve(b, x, operation);
    EXPECT_EQ(report.num_null_pivots(), n - product.rank) << report.describe();
    EXPECT_EQ(report.verdict, product.rank < n ? Verdict::singular : Verdict::solved) << report.describe();
    EXPECT_EQ(report.num_met(), product.rank < n ? 1 : 2) << report.describe();
  }
};
TYPED_TEST_SUITE(SchurRank, test::Scalars);

#ifdef FROND_SCALARS_ON_RANKS
constexpr std::size_t kEvery = 5;  // many are alike: with several ranks a sample is tested, unless everything is
#else
constexpr std::size_t kEvery = 1;
#endif

// The complement is in one place, or on a grid where there is one. The second solve reuses all that the first one has computed.
TYPED_TEST(SchurRank, IsThatOfTheWholeMatrix) {
  using S = TypeParam;
  Index num_singular = 0;
  std::size_t num_tested = 0;
  const auto products = testing::known_products<S>();
  for (std::size_t k = 0; k < products.size(); k += kEvery) {
    const KnownProduct<S>& product = products[k];
    SCOPED_TRACE(product.name);
    StageOptions options;
    options.layout = ++num_tested % 4 == 0 && product.kept.size() > 1 ? Layout::grid : Layout::rows;
    options.solver.analysis.schur_variables = product.kept;
    const auto factorization = factorize<S>(product.matrix, options);
    ASSERT_EQ(factorization->report().factorization.status, FactorizationStatus::success);
    this->expect_known(product, Operation::transposed, *factorization);
    this->expect_known(product, Operation::plain, *factorization);
    if (layouts().size() == 1) {  // with several ranks there is no time for more
      this->expect_known(product, Operation::adjoint, *factorization);
    }
    num_singular += product.rank < product.matrix.num_rows ? 1 : 0;
  }
  EXPECT_GE(products.size(), 80U);
  EXPECT_GE(num_singular, static_cast<Index>(60 / kEvery));
}

// The complement of order 1 of an integer matrix of rank 3 is S = 0, which is computed as about 1e-13.
TEST(SchurRankOfOne, IsNotToldByTheSizeOfThePivot) {
  Triplets<double> entries{4,
                           4,
                           Symmetry::symmetric,
                           {0, 1, 2, 3, 1, 2, 3, 2, 3, 3},
                           {0, 0, 0, 0, 1, 1, 1, 2, 2, 3},
                           {-7, -10, -7, 1, 2, 3, 1, -16, -8, -4}};
  const SparseMatrix<double> matrix = compress(std::move(entries));
  StageOptions options;
  options.solver.analysis.schur_variables = {0};
  const DenseMatrix<double> b = testing::random_dense<double>(4, 1, 3);
  DenseMatrix<double> x(4, 1);
  const SolveReport report = factorize<double>(matrix, options)->solve(b, x);
  EXPECT_EQ(report.verdict, Verdict::singular);
  EXPECT_EQ(report.num_null_pivots(), 1);
  ASSERT_FALSE(report.notes.empty());
  EXPECT_NE(report.notes[0].find("once more without one"), std::string::npos);
}

}  // namespace
}  // namespace frond::stages
