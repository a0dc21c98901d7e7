// SPDX-License-Identifier: BSD-3-Clause
// Tests static pivoting in every type of node: nothing is delayed, perturbations are counted, and the rest is exact; also the
// reported levels and growth, which must not depend on the distribution of a front.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "factorization/factorize.hpp"
#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/oracles/dense_oracle.hpp"
#include "tests/support/ranks/rank_problem.hpp"

namespace frond::test {
namespace {

using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
template <class S>
class StaticPivotingTest : public ::testing::Test {};
TYPED_TEST_SUITE(StaticPivotingTest, Scalars);

FactorizationOptions static_on_threads(int num_threads) {
  return {.pivoting = {.kind = PivotingKind::static_structure}, .num_threads = num_threads};
}

template <Scalar S>
double modulus_bound(S value) {
  if constexpr (kIsComplex<S>) {
    return std::abs(static_cast<double>(value.real())) + std::abs(static_cast<double>(value.imag()));
  } else {
    return std::abs(static_cast<double>(value));
  }
}

// Returns the largest entry of N, or of D op(L)^T, entry by entry.
template <Scalar S>
double largest_of_pivot_rows(const FrontFactor<S>& front, Method method) {
  double largest = 0;
  const auto entry = [&](Index i, Index j) { return front.lower[front.layout.column_offset(j) + i]; };
  for (Index k = 0; k < front.num_eliminated; ++k) {
    if (front.pivots[k] == PivotKind::null) {
      continue;
    }
    for (Index j = k; j < front.order; ++j) {
      S value;
      if (method == Method::lu) {
        value = j < front.num_fully_summed ? entry(k, j)
                                           : front.upper[j - front.num_fully_summed + static_cast<Count>(k) * front.cb_order()];
      } else {
        const auto l = [&](Index col) {
          const S below = j == col                                                                  ? S(1)
                          : j < col || (front.pivots[col] == PivotKind::two_by_two && j == col + 1) ? S(0)
                                                                                                    : entry(j, col);
          return method == Method::ldlh ? conjugate(below) : below;
        };
        const S* d = front.d + 2 * k;
        if (front.pivots[k] == PivotKind::one_by_one) {
          value = d[0] * l(k);
        } else if (front.pivots[k] == PivotKind::two_by_two) {
          value = d[0] * l(k) + (method == Method::ldlh ? conjugate(d[1]) : d[1]) * l(k + 1);
        } else {
          value = front.d[2 * k - 1] * l(k - 1) + d[0] * l(k);
        }
      }
      largest = std::max(largest, modulus_bound(value));
    }
  }
  return largest;
}

template <Scalar S>
double growth_by_hand(const Factors<S>& factors, const SparseMatrix<S>& a) {
  double largest = 0;
  for (NodeId node = 0; node < factors.symbolic().tree().num_nodes(); ++node) {
    largest = std::max(largest, largest_of_pivot_rows(factors.front(node), factors.method()));
  }
  double of_matrix = 0;
  for (const S value : a.values) {
    of_matrix = std::max(of_matrix, static_cast<double>(std::abs(value)));
  }
  return largest / of_matrix;
}

template <Scalar S>
void expect_levels_add_up(const FactorizationReport& report, const Symbolic& symbolic) {
  LevelCounts sum;
  const AssemblyTree& tree = symbolic.tree();
  std::vector<Count> fronts(report.levels.size(), 0);
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    ASSERT_LT(static_cast<std::size_t>(tree.depth(node)), fronts.size());
    ++fronts[tree.depth(node)];
  }
  for (std::size_t depth = 0; depth < fronts.size(); ++depth) {
    EXPECT_EQ(report.levels[depth].num_fronts, fronts[depth]);
    sum += report.levels[depth];
  }
  EXPECT_EQ(sum.num_delayed_pivots, report.num_delayed_pivots);
  EXPECT_EQ(sum.num_two_by_two, report.num_two_by_two);
  EXPECT_EQ(sum.num_null_pivots, static_cast<Count>(report.null_pivots.size()));
  EXPECT_EQ(sum.num_perturbed_pivots, report.num_perturbed_pivots);
  EXPECT_EQ(sum.max_front_order, report.max_front_order);
  EXPECT_NEAR(sum.flops, report.flops, 1e-9 * report.flops);
}

// Bounds the error of the product, as the oracle measures it, in n eps: a perturbation changes an entry by at most twice itself.
template <Scalar S>
double largest_error(const FactorizationReport& report, Index order) {
  const double eps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  return report.num_perturbed_pivots == 0 ? 1 : 1 + 2 / (order * std::sqrt(eps));
}

TYPED_TEST(StaticPivotingTest, KeepsToThePrediction) {
  using S = TypeParam;
  for (const Method method : kPivotingMethods) {
    for (const bool amalgamates : {false, true}) {
      for (const SparseMatrix<S>& a :
           {grid_matrix<S>(symmetry_of(method), 15, 14, 1, Values::zero_diagonal, 1), saddle_matrix<S>(symmetry_of(method), 40, 5),
            random_sparse<S>(symmetry_of(method), 150, 0.05, Values::zero_diagonal, 5)}) {
        SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", order " << a.num_rows);
        const auto symbolic = analyze(a.pattern(), natural_order(amalgamates));
        const FactorizationResult<S> result = factorize<S>(symbolic, method, a.values, {}, {}, static_on_threads(1));
        ASSERT_TRUE(result.factors);
        EXPECT_EQ(result.report.status, FactorizationStatus::success);
        EXPECT_EQ(result.report.num_delayed_pivots, 0);
        EXPECT_EQ(result.report.max_front_order, symbolic->estimate(method).max_front_order);
        EXPECT_NEAR(result.report.flops, symbolic->estimate(method).front_flops, 1e-9 * result.report.flops);
        EXPECT_EQ(result.report.factor_bytes, estimate_memory(*symbolic, method, sizeof(S), 1).factor_bytes);
        expect_levels_add_up<S>(result.report, *symbolic);
        EXPECT_NEAR(result.report.pivot_growth, growth_by_hand(*result.factors, a), 1e-5 * result.report.pivot_growth);
        const DenseOracle<S> oracle = multiply_out(*result.factors);
        EXPECT_EQ(oracle.num_eliminated(), a.num_rows);
        EXPECT_LT(oracle.error(permuted_matrix(*result.factors, a.view())), largest_error<S>(result.report, a.num_rows));
        const FactorizationResult<S> on_two = factorize<S>(symbolic, method, a.values, {}, {}, static_on_threads(2));
        EXPECT_TRUE(same_bits(*on_two.factors, *result.factors));
      }
    }
  }
}

TYPED_TEST(StaticPivotingTest, PerturbsWhatHasNoPivot) {
  using S = TypeParam;
  using R = RealOf<S>;
  const double perturbation = 4 * std::sqrt(static_cast<double>(std::numeric_limits<R>::epsilon()));
  for (const Method method : kPivotingMethods) {  // diag(4, 0, -2)
    const SparseMatrix<S> a{3, 3, symmetry_of(method), {0, 1, 2, 3}, {0, 1, 2}, {S(4), S(0), S(-2)}};
    const FactorizationResult<S> result = factorize<S>(analyze(a.pattern()), method, a.values, {}, {}, static_on_threads(1));
    EXPECT_EQ(result.report.status, FactorizationStatus::success);
    EXPECT_EQ(result.report.num_perturbed_pivots, 1);
    EXPECT_NEAR(result.report.determinant.mantissa.real() * std::ldexp(1.0, static_cast<int>(result.report.determinant.exponent)),
                -8 * perturbation, 1e-6 * perturbation);
    EXPECT_NEAR(result.report.smallest_pivot, perturbation, 1e-6 * perturbation);
    EXPECT_EQ(result.report.smallest_pivot_variable, 1);
    if (method != Method::lu) {
      EXPECT_EQ(result.report.inertia.positive, 2);
      EXPECT_EQ(result.report.inertia.negative, 1);
    }
    FactorizationOptions options = static_on_threads(1);
    options.pivoting.perturbation = 0.125;
    EXPECT_NEAR(factorize<S>(analyze(a.pattern()), method, a.values, {}, {}, options).report.smallest_pivot, 0.5, 1e-6);
  }
}

// A chain in the natural order whose first variable can only pivot with the second: [0 1; 1 0] is one front or two.
TYPED_TEST(StaticPivotingTest, TakesPairsWhereTheyMeet) {
  using S = TypeParam;
  for (const Method method : kPivotingMethods) {
    const bool is_general = method == Method::lu;
    Triplets<S> triplets{2, 2, symmetry_of(method), {}, {}, {}};
    triplets.add(0, 0, S(0));
    triplets.add(1, 1, S(0));
    triplets.add(1, 0, S(1));
    if (is_general) {
      triplets.add(0, 1, S(1));
    }
    const SparseMatrix<S> a = compress(std::move(triplets));
    for (const bool amalgamates : {false, true}) {
      const auto symbolic = analyze(a.pattern(), natural_order(amalgamates));
      const FactorizationResult<S> result = factorize<S>(symbolic, method, a.values, {}, {}, static_on_threads(1));
      const bool is_one_front = symbolic->tree().num_nodes() == 1;
      EXPECT_EQ(result.report.num_perturbed_pivots, is_one_front ? 0 : 1);
      EXPECT_EQ(result.report.num_two_by_two, is_one_front && !is_general ? 1 : 0);
    }
  }
}

template <Scalar S>
void expect_static_on_ranks(Types types, Method method) {
  Count num_avoided = 0;
  for (const Rank num_ranks : {2, 3, 5, 8}) {
    const RankProblem<S> problem(method, 6, Values::zero_diagonal, types, num_ranks);
    for (int trial = 0; trial < 4; ++trial) {
      VirtualRun run{.seed = std::random_device{}(), .buffer_bytes = trial % 2 == 0 ? Count{1} << 20 : Count{500}};
      SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", ranks " << num_ranks << ", seed "
                                        << run.seed);
      num_avoided += problem.run(run).report.num_delayed_pivots;
      run.pivoting.kind = PivotingKind::static_structure;
      const VirtualRunResult<S> result = problem.run(run);
      ASSERT_FALSE(result.failure) << result.failure->text;
      EXPECT_EQ(result.report.num_delayed_pivots, 0);
      EXPECT_EQ(result.report.status, FactorizationStatus::success);
      const Factors<S> factors = problem.gather(result);
      const DenseOracle<S> oracle = multiply_out(factors);
      EXPECT_EQ(oracle.num_eliminated(), problem.a.num_rows);
      EXPECT_LT(oracle.error(permuted_matrix(factors, problem.a.view())), largest_error<S>(result.report, problem.a.num_rows));
      expect_levels_add_up<S>(result.report, *problem.symbolic);
      EXPECT_NEAR(result.report.pivot_growth, growth_by_hand(factors, problem.a), 1e-5 * result.report.pivot_growth);
    }
  }
  EXPECT_GT(num_avoided, 0);
}

TEST(StaticPivotingOnRanks, IsExactOverRows) {
  expect_static_on_ranks<double>(Types::row_distributed, Method::ldlt);
  expect_static_on_ranks<std::complex<double>>(Types::row_distributed, Method::ldlt);
  expect_static_on_ranks<std::complex<double>>(Types::row_distributed, Method::ldlh);
  expect_static_on_ranks<double>(Types::row_distributed, Method::lu);
  expect_static_on_ranks<std::complex<double>>(Types::row_distributed, Method::lu);
}

TEST(StaticPivotingOnRanks, IsExactWithARootOnAGrid) {
  expect_static_on_ranks<double>(Types::grid, Method::lu);
  expect_static_on_ranks<std::complex<double>>(Types::grid, Method::lu);
}

TEST(PivotGrowth, IsThatOfWilkinsonsMatrix) {
  constexpr Index kOrder = 20;
  Triplets<double> triplets{kOrder, kOrder, Symmetry::general, {}, {}, {}};
  for (Index i = 0; i < kOrder; ++i) {  // the transpose of the matrix that doubles with every pivot: LU pivots along rows
    triplets.add(i, i, 1);
    for (Index j = i + 1; j < kOrder; ++j) {
      triplets.add(i, j, -1);
    }
    if (i + 1 < kOrder) {
      triplets.add(kOrder - 1, i, 1);
    }
  }
  const SparseMatrix<double> a = compress(std::move(triplets));
  const auto result = factorize<double>(analyze(a.pattern(), natural_order(true)), Method::lu, a.values, {}, {}, {});
  EXPECT_EQ(result.report.pivot_growth, std::ldexp(1.0, kOrder - 1));
}

TEST(PivotGrowth, IsOneForCholeskyAndDiagonals) {
  const SparseMatrix<double> a = grid_matrix<double>(Symmetry::symmetric, 5, 5, 1, Values::dominant, 1);
  EXPECT_EQ(factorize<double>(analyze(a.pattern()), Method::cholesky, a.values, {}, {}, {}).report.pivot_growth, 1);
  const SparseMatrix<double> diagonal{2, 2, Symmetry::symmetric, {0, 1, 2}, {0, 1}, {-3, 2}};
  EXPECT_EQ(factorize<double>(analyze(diagonal.pattern()), Method::ldlt, diagonal.values, {}, {}, {}).report.pivot_growth, 1);
  const SparseMatrix<double> nothing{0, 0, Symmetry::symmetric, {0}, {}, {}};
  EXPECT_EQ(factorize<double>(analyze(nothing.pattern()), Method::ldlt, nothing.values, {}, {}, {}).report.pivot_growth, 0);
}

TEST(StaticPivoting, RefusesPerturbationsThatAreNone) {
  const SparseMatrix<double> a{1, 1, Symmetry::symmetric, {0, 1}, {0}, {1}};
  FactorizationOptions options = static_on_threads(1);
  for (const double wrong : {-1.0, 1.0, std::numeric_limits<double>::quiet_NaN()}) {
    options.pivoting.perturbation = wrong;
    EXPECT_THROW(static_cast<void>(factorize<double>(analyze(a.pattern()), Method::ldlt, a.values, {}, {}, options)), UsageError);
  }
}

}  // namespace
}  // namespace frond::test
