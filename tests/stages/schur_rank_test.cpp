// SPDX-License-Identifier: BSD-3-Clause
// Tests the verdict and the rank of whole systems solved by way of a Schur complement.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "frond/matrix.hpp"
#include "matrices/products.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/known_products.hpp"
#include "tests/support/matrices/scalars.hpp"

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
