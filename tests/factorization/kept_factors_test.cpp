// SPDX-License-Identifier: BSD-3-Clause
// Tests that factorizations that discard their factors give the same numbers, in less memory.
#include "frond/analysis_options.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "factorization/factorize.hpp"
#include "factorization/memory/factor_storage.hpp"
#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "matrices/generate.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/ranks/report_bits.hpp"
#include "tests/support/ranks/single_front.hpp"

namespace frond::test {
namespace {

FactorizationRunOptions keeping(KeptFactors kept, int num_threads, PivotingOptions pivoting = {}) {
  FactorizationRunOptions options;
  options.kept = kept;
  options.num_threads = num_threads;
  options.pivoting = pivoting;
  return options;
}

template <Scalar S>
class KeptFactorsTest : public ::testing::Test {
 protected:
  // Compares the reports of keeping all, some and no factors, with one thread and with three; returns the first.
  static FactorizationReport expect_same(const SparseMatrix<S>& a, Method method, const AnalysisOptions& analysis = {},
                                         PivotingOptions pivoting = {}) {
    const auto symbolic = analyze(a.pattern(), analysis);
    const auto run = [&](KeptFactors kept, int num_threads) {
      return factorize<S>(symbolic, method, a.values, {}, {}, keeping(kept, num_threads, pivoting));
    };
    const FactorizationResult<S> all = run(KeptFactors::all, 1);
    for (const int num_threads : {1, 3}) {
      for (const KeptFactors kept : {KeptFactors::none, KeptFactors::backward}) {
        const FactorizationResult<S> result = run(kept, num_threads);
        EXPECT_EQ(report_bits(result.report), report_bits(all.report)) << "threads " << num_threads;
        if (kept == KeptFactors::none) {
          EXPECT_EQ(result.report.factor_bytes, 0);
          expect_nothing(result);
        } else {
          expect_backward(result, all, method);
        }
      }
    }
    return all.report;
  }

 private:
  static void expect_nothing(const FactorizationResult<S>& result) {
    ASSERT_EQ(result.factors.has_value(), result.report.status != FactorizationStatus::not_positive_definite);
    for (NodeId node = 0; result.factors && node < result.factors->symbolic().tree().num_nodes(); ++node) {
      const FrontFactor<S>& front = result.factors->front(node);
      EXPECT_EQ(front.lower, nullptr);
      EXPECT_EQ(front.upper, nullptr);
    }
  }

  static void expect_backward(const FactorizationResult<S>& result, const FactorizationResult<S>& all, Method method) {
    for (NodeId node = 0; result.factors && node < result.factors->symbolic().tree().num_nodes(); ++node) {
      const FrontFactor<S>& front = result.factors->front(node);
      const FrontFactor<S>& whole = all.factors->front(node);
      EXPECT_EQ(front.upper, nullptr);
      ASSERT_EQ(front.num_eliminated, whole.num_eliminated);
      ASSERT_EQ(front.num_fully_summed, whole.num_fully_summed);
      ASSERT_EQ(front.order, whole.order);
      EXPECT_TRUE(std::equal(front.row_variables, front.row_variables + front.num_fully_summed, whole.row_variables));
      for (Index col = 0; col < front.num_eliminated; ++col) {
        const S* begin = front.lower + front.layout.column_offset(col);
        ASSERT_TRUE(std::equal(begin + col, begin + front.order, whole.lower + whole.layout.column_offset(col) + col))
            << "node " << node << ", column " << col << ", method " << static_cast<int>(method);
      }
    }
  }
};
TYPED_TEST_SUITE(KeptFactorsTest, Scalars);

TYPED_TEST(KeptFactorsTest, ReportsAreTheSameBits) {
  using S = TypeParam;
  for (const Method method : kAllMethods) {
    for (const Values values : {Values::dominant, Values::random, Values::zero_diagonal}) {
      if (method == Method::cholesky && values != Values::dominant) {
        continue;
      }
      SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", values " << static_cast<int>(values));
      const FactorizationReport report = this->expect_same(grid_matrix<S>(symmetry_of(method), 9, 8, 7, values, 1), method);
      EXPECT_TRUE(values != Values::zero_diagonal || report.num_delayed_pivots > 0);
    }
  }
}

// Blocks of delayed variables climb through a deep tree of small fronts, also in leaf subtrees.
TYPED_TEST(KeptFactorsTest, DelayedPivotsAreReadBeforeTheyGo) {
  using S = TypeParam;
  for (const Method method : {Method::ldlt, Method::ldlh, Method::lu}) {
    EXPECT_GT(this->expect_same(saddle_matrix<S>(symmetry_of(method), 60, 3), method, natural_order()).num_delayed_pivots, 60);
  }
}

TYPED_TEST(KeptFactorsTest, SingularAndPerturbedMatricesToo) {
  using S = TypeParam;
  const PivotingOptions perturbing{.kind = PivotingKind::static_structure, .perturbation = 0.1};
  for (const Method method : {Method::ldlt, Method::ldlh, Method::lu}) {
    SparseMatrix<S> zero = grid_matrix<S>(symmetry_of(method), 6, 5, 4, Values::random, 1);
    std::fill(zero.values.begin() + 200, zero.values.end(), S(0));
    EXPECT_EQ(this->expect_same(zero, method).status, FactorizationStatus::singular);
    const SparseMatrix<S> weak = grid_matrix<S>(symmetry_of(method), 7, 7, 7, Values::zero_diagonal, 1);
    EXPECT_GT(this->expect_same(weak, method, {}, perturbing).num_perturbed_pivots, 0);
  }
  const SparseMatrix<S> indefinite = grid_matrix<S>(Symmetry::hermitian, 6, 5, 4, Values::random, 1);
  EXPECT_EQ(this->expect_same(indefinite, Method::cholesky).status, FactorizationStatus::not_positive_definite);
}

TYPED_TEST(KeptFactorsTest, OrdersZeroAndOne) {
  using S = TypeParam;
  for (const Method method : kAllMethods) {
    Triplets<S> none{.num_rows = 0, .num_cols = 0, .symmetry = symmetry_of(method)};
    (void)this->expect_same(compress(std::move(none)), method);
    Triplets<S> one{.num_rows = 1, .num_cols = 1, .symmetry = symmetry_of(method)};
    one.add(0, 0, S(4));
    EXPECT_EQ(this->expect_same(compress(std::move(one)), method).determinant.mantissa.real(), 0.5);  // times 2^3
  }
}

// Only the front of a Schur complement stays.
TYPED_TEST(KeptFactorsTest, SchurComplementStays) {
  using S = TypeParam;
  const AnalysisOptions analysis{.schur_variables = {300, 2, 77, 150}};
  for (const Method method : kAllMethods) {
    const SparseMatrix<S> a = grid_matrix<S>(symmetry_of(method), 9, 8, 7, Values::dominant, 1);
    const auto symbolic = analyze(a.pattern(), analysis);
    const auto all = factorize<S>(symbolic, method, a.values, {}, {}, keeping(KeptFactors::all, 2));
    for (const KeptFactors kept : {KeptFactors::none, KeptFactors::backward}) {
      const auto result = factorize<S>(symbolic, method, a.values, {}, {}, keeping(kept, 2));
      EXPECT_EQ(report_bits(result.report), report_bits(all.report));
      const FrontFactor<S>& expected = all.factors->front(symbolic->tree().schur_node());
      const FrontFactor<S>& front = result.factors->front(symbolic->tree().schur_node());
      ASSERT_EQ(front.order, 4);
      EXPECT_TRUE(std::equal(front.lower, front.lower + front.layout.size(), expected.lower));
      EXPECT_EQ(kept == KeptFactors::none, result.report.factor_bytes == front_bytes(4, 4, method, sizeof(S), FrontShape::whole));
    }
  }
}

// Without factors the peak is that of active fronts, which is predicted.
TEST(KeptFactors, PeakIsThatOfActiveFrontsAndPredicted) {
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    const SparseMatrix<double> a = grid_matrix<double>(symmetry_of(method), 20, 20, 20, Values::dominant, 1);
    const auto symbolic = analyze(a.pattern());
    const auto run = [&](KeptFactors kept, int num_threads, Count limit) {
      FactorizationRunOptions options = keeping(kept, num_threads);
      options.memory_limit = limit;
      options.executor = ExecutorKind::threads;
      return factorize<double>(symbolic, method, a.values, {}, {}, options).report;
    };
    const FactorizationReport all = run(KeptFactors::all, 1, 0);
    for (const KeptFactors kept : {KeptFactors::none, KeptFactors::backward}) {
      const MemoryEstimate estimate = estimate_memory(*symbolic, method, sizeof(double), 1, kept);
      const FactorizationReport report = run(kept, 1, 0);
      EXPECT_EQ(report.factor_bytes, estimate.factor_bytes);
      EXPECT_LE(report.peak_bytes, estimate.peak_bytes());
      EXPECT_GE(report.peak_bytes, estimate.peak_bytes() * 8 / 10);
      EXPECT_LT(report.peak_bytes, all.peak_bytes * (kept == KeptFactors::none ? 6 : method == Method::lu ? 9 : 11) / 10);
      for (const int num_threads : {1, 2, 5}) {
        EXPECT_LE(run(kept, num_threads, estimate.least_bytes()).peak_bytes, estimate.least_bytes());
        EXPECT_THROW((void)run(kept, num_threads, estimate.least_bytes() - 1), MemoryError);
        EXPECT_LE(run(kept, num_threads, 0).peak_bytes,
                  estimate_memory(*symbolic, method, sizeof(double), num_threads, kept).upper_bound_bytes);
      }
    }
  }
}

}  // namespace
}  // namespace frond::test
