// SPDX-License-Identifier: BSD-3-Clause
// Tests whole factorizations by multiplying them out: every method and scalar, delayed and null pivots, scalings, corner cases.
#include "factorization/factorize.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <vector>

#include "factorization/memory/region_pool.hpp"
#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "matrices/generate.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/oracles/dense_oracle.hpp"
#include "tests/support/ranks/single_front.hpp"

namespace frond::test {
namespace {

FactorizationOptions on_threads(int num_threads) { return {.num_threads = num_threads}; }

template <Scalar S>
FactorizationResult<S> factorize_matrix(const SparseMatrix<S>& a, Method method, const AnalysisOptions& analysis = {},
                                        const FactorizationOptions& options = on_threads(2)) {
  return factorize<S>(analyze(a.pattern(), analysis), method, a.values, {}, {}, options);
}

template <Scalar S>
void expect_exact(const FactorizationResult<S>& result, const SparseMatrix<S>& a, double tolerance = 1) {
  ASSERT_TRUE(result.factors);
  const DenseOracle<S> oracle = multiply_out(*result.factors);
  EXPECT_EQ(oracle.num_eliminated(), a.num_rows);
  EXPECT_LT(oracle.error(permuted_matrix(*result.factors, a.view())), tolerance);
  if (result.factors->method() != Method::cholesky) {
    EXPECT_LE(oracle.largest_multiplier(), 100 * (1 + 100 * std::numeric_limits<RealOf<S>>::epsilon()));
  }
}

template <class S>
class FactorizeTest : public ::testing::Test {};
TYPED_TEST_SUITE(FactorizeTest, Scalars);

TYPED_TEST(FactorizeTest, ProductOfTheFactorsIsTheMatrix) {
  using S = TypeParam;
  for (const Method method : kAllMethods) {
    for (const Values values : {Values::dominant, Values::random, Values::zero_diagonal}) {
      if (method == Method::cholesky && values != Values::dominant) {
        continue;
      }
      SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", values " << static_cast<int>(values));
      const Symmetry symmetry = symmetry_of(method);
      for (const SparseMatrix<S>& a :
           {grid_matrix<S>(symmetry, 15, 14, 1, values, 1), grid_matrix<S>(symmetry, 6, 5, 6, values, 2),
            random_sparse<S>(symmetry, 150, 0.08, values, 5), random_sparse<S>(symmetry, 90, 0.2, values, 4)}) {
        for (const AnalysisOptions& analysis : {AnalysisOptions{}, natural_order()}) {
          const FactorizationResult<S> result = factorize_matrix(a, method, analysis);
          EXPECT_EQ(result.report.status, FactorizationStatus::success);
          expect_exact(result, a);
        }
      }
    }
  }
}

TYPED_TEST(FactorizeTest, PivotsAreDelayedAcrossFronts) {
  using S = TypeParam;
  for (const Method method : {Method::ldlt, Method::ldlh, Method::lu}) {
    SCOPED_TRACE(static_cast<int>(method));
    const SparseMatrix<S> a = saddle_matrix<S>(symmetry_of(method), 30, 5);
    const FactorizationResult<S> result = factorize_matrix(a, method, natural_order());
    expect_exact(result, a);
    Count num_delayed = 0;
    bool is_delayed_twice = false;  // eliminated neither at its node nor at that node's parent
    const AssemblyTree& tree = result.factors->symbolic().tree();
    for (NodeId node = 0; node < tree.num_nodes(); ++node) {
      const FrontFactor<S>& front = result.factors->front(node);
      num_delayed += front.num_delayed();
      for (Index k = front.num_eliminated; k < front.num_fully_summed; ++k) {
        const Index variable = front.row_variables[k];
        is_delayed_twice = is_delayed_twice || variable < tree.variable_begin(node);
      }
    }
    EXPECT_GT(num_delayed, 10);
    EXPECT_TRUE(is_delayed_twice);
    EXPECT_EQ(result.report.num_delayed_pivots, num_delayed);
  }
}

TYPED_TEST(FactorizeTest, AppliesScalings) {
  using S = TypeParam;
  for (const Method method : kAllMethods) {
    SCOPED_TRACE(static_cast<int>(method));
    const Values values = method == Method::cholesky ? Values::dominant : Values::random;
    const SparseMatrix<S> a = grid_matrix<S>(symmetry_of(method), 9, 8, 2, values, 6);
    std::vector<RealOf<S>> rows(static_cast<std::size_t>(a.num_rows));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i] = static_cast<RealOf<S>>(1 + i % 7) / 3;
    }
    std::vector<RealOf<S>> cols(rows);
    if (method == Method::lu) {
      std::reverse(cols.begin(), cols.end());
    }
    const FactorizationResult<S> result = factorize<S>(analyze(a.pattern()), method, a.values, rows, cols, on_threads(1));
    expect_exact(result, a);
    EXPECT_EQ(std::vector<RealOf<S>>(result.factors->row_scaling().begin(), result.factors->row_scaling().end()), rows);
    EXPECT_EQ(std::vector<RealOf<S>>(result.factors->col_scaling().begin(), result.factors->col_scaling().end()), cols);
  }
}

TYPED_TEST(FactorizeTest, NamesTheVariablesOfZeroRowsAndColumns) {
  using S = TypeParam;
  for (const Method method : {Method::ldlt, Method::ldlh, Method::lu}) {
    for (const AnalysisOptions& analysis : {AnalysisOptions{}, natural_order()}) {
      SCOPED_TRACE(static_cast<int>(method));
      SparseMatrix<S> a = grid_matrix<S>(symmetry_of(method), 10, 9, 1, Values::dominant, 7);
      const std::set<Index> zero = {3, 40, 88};
      for (Index j = 0; j < a.num_cols; ++j) {
        for (Count k = a.column_offsets[j]; k < a.column_offsets[static_cast<std::size_t>(j) + 1]; ++k) {
          if (zero.count(j) + zero.count(a.row_indices[k]) > 0) {
            a.values[k] = S(0);
          }
        }
      }
      const FactorizationResult<S> result = factorize_matrix(a, method, analysis);
      EXPECT_EQ(result.report.status, FactorizationStatus::singular);
      EXPECT_EQ(std::set<Index>(result.report.null_pivots.begin(), result.report.null_pivots.end()), zero);
      EXPECT_EQ(result.report.null_pivots.size(), zero.size());
      expect_exact(result, a);
    }
  }
}

TYPED_TEST(FactorizeTest, NamesTheVariableThatIsNotPositive) {
  using S = TypeParam;
  for (const Index bad : {0, 44, 89}) {
    for (const int num_threads : {1, 4}) {
      SparseMatrix<S> a = grid_matrix<S>(Symmetry::hermitian, 10, 9, 1, Values::dominant, 8);
      const Count diagonal = a.column_offsets[bad];  // the first of the lower triangle's column
      ASSERT_EQ(a.row_indices[diagonal], bad);
      a.values[diagonal] = S(-1);
      const FactorizationResult<S> result = factorize_matrix(a, Method::cholesky, {}, on_threads(num_threads));
      EXPECT_EQ(result.report.status, FactorizationStatus::not_positive_definite);
      EXPECT_EQ(result.report.null_pivots, std::vector<Index>{bad});
      EXPECT_FALSE(result.factors);
    }
  }
}

TYPED_TEST(FactorizeTest, HandlesDiagonalForestDenseAndTinyMatrices) {
  using S = TypeParam;
  for (const Method method : kAllMethods) {
    const Symmetry symmetry = symmetry_of(method);
    for (const SparseMatrix<S>& a :
         {random_sparse<S>(symmetry, 0, 0, Values::dominant, 1), random_sparse<S>(symmetry, 1, 0, Values::dominant, 1),
          random_sparse<S>(symmetry, 2, 1, Values::dominant, 1), random_sparse<S>(symmetry, 70, 0, Values::dominant, 1),
          random_sparse<S>(symmetry, 80, 0.008, Values::dominant, 1), random_sparse<S>(symmetry, 60, 1, Values::dominant, 1)}) {
      SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", n " << a.num_rows << ", entries "
                                        << a.num_entries());
      const AnalysisOptions analysis{.block_triangular = Use::never};  // otherwise the factors would be those of the blocks
      const FactorizationResult<S> result = factorize_matrix(a, method, analysis);
      EXPECT_EQ(result.report.status, FactorizationStatus::success);
      expect_exact(result, a);
    }
  }
}

TYPED_TEST(FactorizeTest, InertiaIsThatOfTheEigenvalues) {
  using S = TypeParam;
  for (const Values values : {Values::dominant, Values::random, Values::zero_diagonal}) {
    const SparseMatrix<S> a = grid_matrix<S>(Symmetry::hermitian, 6, 5, 3, values, 9);
    const FactorizationResult<S> result = factorize_matrix(a, Method::ldlh, natural_order());
    ASSERT_TRUE(result.factors);
    const EigenvalueSigns signs = eigenvalue_signs(permuted_matrix(*result.factors, a.view()), 0);
    EXPECT_EQ(result.report.inertia.positive, signs.positive);
    EXPECT_EQ(result.report.inertia.negative, signs.negative);
    EXPECT_EQ(result.report.inertia.zero, 0);
  }
}

TEST(Factorize, FindsTheNullSpaceOfLaplaciansWithoutBoundary) {
  for (const auto& [symmetry, method] : {std::pair(Symmetry::symmetric, Method::ldlt), std::pair(Symmetry::general, Method::lu)}) {
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
      SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", seed " << seed);
      const SparseMatrix<double> a = singular_laplacian(symmetry, 20, 15, seed);
      const FactorizationResult<double> result = factorize_matrix(a, method);
      EXPECT_EQ(result.report.status, FactorizationStatus::singular);
      EXPECT_EQ(result.report.null_pivots.size(), 1U);
      expect_exact(result, a);
    }
  }
}

TEST(Factorize, FindsANullPivotInEveryTreeOfAForest) {
  SparseMatrix<double> a = singular_laplacian(Symmetry::symmetric, 9, 9, 3);
  Triplets<double> twice;
  twice.num_rows = twice.num_cols = 2 * a.num_rows;
  twice.symmetry = a.symmetry;
  for (Index j = 0; j < a.num_cols; ++j) {
    for (Count k = a.column_offsets[j]; k < a.column_offsets[static_cast<std::size_t>(j) + 1]; ++k) {
      const Index i = a.row_indices[k];
      const double value = a.values[k];
      twice.add(i, j, value);
      twice.add(i + a.num_rows, j + a.num_rows, value);
    }
  }
  const FactorizationResult<double> result = factorize_matrix(compress(std::move(twice)), Method::ldlt);
  ASSERT_EQ(result.report.null_pivots.size(), 2U);
  EXPECT_LT(result.report.null_pivots[0], a.num_rows);
  EXPECT_GE(result.report.null_pivots[1], a.num_rows);
}

TEST(Factorize, CountsFlopsEntriesAndTheSmallestPivot) {
  const SparseMatrix<double> a = grid_matrix<double>(Symmetry::symmetric, 9, 9, 3, Values::dominant, 10);
  const auto symbolic = analyze(a.pattern());
  const FactorizationResult<double> result = factorize<double>(symbolic, Method::cholesky, a.values, {}, {}, on_threads(2));
  const FactorizationEstimate estimate = symbolic->estimate(Method::cholesky);
  EXPECT_DOUBLE_EQ(result.report.flops, estimate.front_flops);
  EXPECT_EQ(result.report.factor_entries, estimate.factor_entries);
  EXPECT_EQ(result.report.max_front_order, estimate.max_front_order);
  EXPECT_EQ(result.report.inertia.positive, a.num_rows);
  EXPECT_EQ(result.report.num_delayed_pivots, 0);
  double smallest = std::numeric_limits<double>::infinity();
  for (NodeId node = 0; node < symbolic->tree().num_nodes(); ++node) {
    const FrontFactor<double>& front = result.factors->front(node);
    for (Index k = 0; k < front.num_eliminated; ++k) {
      smallest = std::min(smallest, std::pow(front.lower[front.layout.column_offset(k) + k], 2));
    }
  }
  EXPECT_DOUBLE_EQ(result.report.smallest_pivot, smallest);
}

TEST(Factorize, SolvesModelProblems) {
  for (const auto& [kind, size, method] :
       {std::tuple(ModelProblem::laplacian2d9, 20, Method::cholesky), std::tuple(ModelProblem::laplacian3d27, 7, Method::cholesky),
        std::tuple(ModelProblem::elasticity3d, 4, Method::cholesky), std::tuple(ModelProblem::elasticity3d, 4, Method::ldlt),
        std::tuple(ModelProblem::kkt3d, 5, Method::ldlt), std::tuple(ModelProblem::convection3d, 7, Method::lu)}) {
    SCOPED_TRACE(model_problem_info(kind).name);
    const auto a = std::get<SparseMatrix<double>>(generate(kind, size, 1));
    const FactorizationResult<double> result = factorize_matrix(a, method);
    EXPECT_EQ(result.report.status, FactorizationStatus::success);
    expect_exact(result, a);
  }
  const auto helmholtz = std::get<SparseMatrix<std::complex<double>>>(generate(ModelProblem::helmholtz3d, 6, 1));
  expect_exact(factorize_matrix(helmholtz, Method::ldlt), helmholtz);
}

TEST(Factorize, GivesTheSameBitsInMemoryThatWasUsedBefore) {
  for (const Method method : kAllMethods) {
    SCOPED_TRACE(static_cast<int>(method));
    const Values values = method == Method::cholesky ? Values::dominant : Values::zero_diagonal;
    const SparseMatrix<double> a = grid_matrix<double>(symmetry_of(method), 8, 8, 4, values, 12);
    const FactorizationResult<double> fresh = factorize_matrix(a, method);
    FactorizationOptions options = on_threads(2);
    options.memory = std::make_shared<RegionPool>();
    { const auto first = factorize_matrix(a, method, {}, options); }
    const Count kept = options.memory->kept_bytes();
    EXPECT_GT(kept, 0);
    const FactorizationResult<double> reused = factorize_matrix(a, method, {}, options);
    EXPECT_LT(options.memory->kept_bytes(), kept);
    EXPECT_TRUE(same_bits(*reused.factors, *fresh.factors));
  }
}

TEST(Factorize, RefusesWhatDoesNotFitTheAnalysis) {
  const SparseMatrix<double> a = grid_matrix<double>(Symmetry::symmetric, 5, 5, 1, Values::dominant, 11);
  const auto symbolic = analyze(a.pattern());
  std::vector<double> short_values(a.values.begin(), a.values.end() - 1);
  EXPECT_THROW((void)factorize<double>(symbolic, Method::ldlt, short_values, {}, {}, {}), UsageError);
  const std::vector<double> ones(25, 1.0);
  EXPECT_THROW((void)factorize<double>(symbolic, Method::ldlt, a.values, ones, {}, {}), UsageError);
  EXPECT_THROW((void)factorize<double>(symbolic, Method::ldlt, a.values, {1.0}, {1.0}, {}), UsageError);
  EXPECT_THROW((void)factorize<double>(symbolic, Method::lu, a.values, {}, {}, {}), UsageError);
  for (const double threshold : {-0.1, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    const FactorizationOptions options{.pivoting = {.pivot_threshold = threshold}};
    EXPECT_THROW((void)factorize<double>(symbolic, Method::ldlt, a.values, {}, {}, options), UsageError) << threshold;
  }
  const auto complex_matrix = grid_matrix<std::complex<double>>(Symmetry::symmetric, 5, 5, 1, Values::dominant, 11);
  const auto complex_symbolic = analyze(complex_matrix.pattern());
  for (const Method method : {Method::cholesky, Method::ldlh}) {
    EXPECT_THROW((void)factorize<std::complex<double>>(complex_symbolic, method, complex_matrix.values, {}, {}, {}), UsageError);
  }
}

}  // namespace
}  // namespace frond::test
