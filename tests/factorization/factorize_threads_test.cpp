// SPDX-License-Identifier: BSD-3-Clause
// Tests that every number of threads gives the same bits, with that many workers seen; progress; concurrent factorizations.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <complex>
#include <memory>
#include <thread>
#include <vector>

#include "factorization/factorize.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/observers.hpp"
#include "tests/support/ranks/single_front.hpp"
#include "tests/support/run_threads.hpp"

namespace frond::test {
namespace {

// The first three tasks that end linger for `patience`, so that workers that wake up late get their share.
template <Scalar S>
FactorizationResult<S> run(const std::shared_ptr<const Symbolic>& symbolic, Method method, const SparseMatrix<S>& a,
                           ExecutorKind executor, int num_threads, std::chrono::milliseconds patience = {}) {
  FactorizationRunOptions options;
  options.executor = executor;
  options.num_threads = num_threads;
  int num_calls = 0;
  testing::Calls observer(&testing::Calls::part, [&](double) {
    if (patience.count() > 0 && ++num_calls <= 3) {
      std::this_thread::sleep_for(patience);
    }
  });
  options.observer = &observer;
  return factorize<S>(symbolic, method, a.values, {}, {}, options);
}

// Repeats with more patience until every worker has had a task.
template <Scalar S>
FactorizationResult<S> run_with_all_workers(const std::shared_ptr<const Symbolic>& symbolic, Method method,
                                            const SparseMatrix<S>& a, ExecutorKind executor, int num_threads) {
  constexpr std::chrono::milliseconds kMostPatience(2000);
  for (std::chrono::milliseconds patience(5);; patience *= 3) {
    FactorizationResult<S> result = run(symbolic, method, a, executor, num_threads, patience);
    if (result.report.num_workers_seen == num_threads || patience > kMostPatience) {
      return result;
    }
  }
}

Index num_subtrees(const Symbolic& symbolic, Method method, Count scalar_bytes) {
  const TaskGraph graph(symbolic.tree(), method, scalar_bytes);
  Index count = 0;
  for (TaskId id = 0; id < graph.num_tasks(); ++id) {
    count += graph.task(id).is_subtree ? 1 : 0;
  }
  return count;
}

template <Scalar S>
void expect_same_bits(Method method, Index grid, Values values) {
  SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", values " << static_cast<int>(values));
  const SparseMatrix<S> a = grid_matrix<S>(symmetry_of(method), grid, grid, grid, values, 1);
  const auto symbolic = analyze(a.pattern());
  ASSERT_GE(num_subtrees(*symbolic, method, sizeof(S)), 8);  // fewer could not occupy eight workers
  const FactorizationResult<S> expected = run(symbolic, method, a, ExecutorKind::tbb, 1);
  ASSERT_TRUE(expected.factors);
  EXPECT_EQ(values == Values::zero_diagonal, expected.report.num_delayed_pivots > 0);
  for (const ExecutorKind executor : {ExecutorKind::tbb, ExecutorKind::threads}) {
    for (const int num_threads : {2, 3, 8}) {
      SCOPED_TRACE(::testing::Message() << (executor == ExecutorKind::tbb ? "oneTBB, " : "threads, ") << num_threads);
      const FactorizationResult<S> result = run_with_all_workers(symbolic, method, a, executor, num_threads);
      EXPECT_EQ(result.report.num_workers_seen, num_threads);
      ASSERT_TRUE(result.factors);
      EXPECT_TRUE(same_bits(*result.factors, *expected.factors));
      EXPECT_EQ(result.report.num_delayed_pivots, expected.report.num_delayed_pivots);
      EXPECT_EQ(result.report.null_pivots, expected.report.null_pivots);
    }
  }
}

TEST(FactorizeThreads, CholeskyHasTheBitsOfOneThread) { expect_same_bits<double>(Method::cholesky, 16, Values::dominant); }

TEST(FactorizeThreads, LdltHasTheBitsOfOneThread) {
  expect_same_bits<double>(Method::ldlt, 15, Values::dominant);
  expect_same_bits<double>(Method::ldlt, 14, Values::zero_diagonal);
}

TEST(FactorizeThreads, LdlhHasTheBitsOfOneThread) {
  expect_same_bits<std::complex<double>>(Method::ldlh, 12, Values::dominant);
  expect_same_bits<std::complex<double>>(Method::ldlh, 12, Values::zero_diagonal);
}

TEST(FactorizeThreads, LuHasTheBitsOfOneThread) {
  expect_same_bits<double>(Method::lu, 14, Values::dominant);
  expect_same_bits<double>(Method::lu, 13, Values::zero_diagonal);
  expect_same_bits<std::complex<float>>(Method::lu, 12, Values::dominant);
}

TEST(SameBits, NoticesOneBit) {
  const SparseMatrix<double> a = grid_matrix<double>(Symmetry::general, 5, 5, 2, Values::random, 1);
  const auto symbolic = analyze(a.pattern());
  const auto first = run(symbolic, Method::lu, a, ExecutorKind::tbb, 1);
  const auto second = run(symbolic, Method::lu, a, ExecutorKind::tbb, 1);
  EXPECT_TRUE(same_bits(*first.factors, *second.factors));
  double& entry = second.factors->front(symbolic->tree().num_nodes() - 1).lower[0];
  entry = std::nextafter(entry, 2 * entry);
  EXPECT_FALSE(same_bits(*first.factors, *second.factors));
}

TEST(FactorizeThreads, ProgressRisesToOneAndNeverOverlaps) {
  for (const int num_threads : {1, 4}) {
    const SparseMatrix<double> a = grid_matrix<double>(Symmetry::symmetric, 12, 12, 12, Values::dominant, 1);
    std::atomic<int> inside{0};
    std::vector<double> fractions;
    FactorizationRunOptions options;
    options.num_threads = num_threads;
    testing::Calls observer(&testing::Calls::part, [&](double fraction) {
      EXPECT_EQ(inside.fetch_add(1), 0);
      fractions.push_back(fraction);
      std::this_thread::yield();
      inside.fetch_sub(1);
    });
    options.observer = &observer;
    (void)factorize<double>(analyze(a.pattern()), Method::ldlt, a.values, {}, {}, options);
    ASSERT_GT(fractions.size(), 3U);
    EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
    EXPECT_GE(fractions.front(), 0);
    EXPECT_DOUBLE_EQ(fractions.back(), 1);
  }
}

TEST(FactorizeThreads, FactorizationsRunSideBySide) {
  const SparseMatrix<double> a = grid_matrix<double>(Symmetry::general, 10, 10, 10, Values::dominant, 1);
  const auto symbolic = analyze(a.pattern());
  const auto expected = run(symbolic, Method::lu, a, ExecutorKind::tbb, 1);
  std::vector<char> same(4);
  testing::run_threads(4, [&](int k) {
    const auto executor = k % 2 == 0 ? ExecutorKind::tbb : ExecutorKind::threads;
    for (int repeat = 0; repeat < 3; ++repeat) {
      same[k] = same_bits(*run(symbolic, Method::lu, a, executor, 3).factors, *expected.factors) ? 1 : 0;
    }
  });
  EXPECT_EQ(same, std::vector<char>(4, 1));
}

}  // namespace
}  // namespace frond::test
