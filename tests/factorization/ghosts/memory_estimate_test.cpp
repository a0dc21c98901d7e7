// SPDX-License-Identifier: BSD-3-Clause
// Tests estimates against each other, and against what real factorizations need.
#include "factorization/ghosts/memory_estimate.hpp"

#include <gtest/gtest.h>

#include "factorization/factorize.hpp"
#include "factorization/memory/factor_storage.hpp"
#include "tests/support/matrices/random_tree.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/ranks/single_front.hpp"

namespace frond::test {
namespace {

TEST(MemoryEstimate, BoundsAreOrdered) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const AssemblyTree tree = random_tree(120, 150, seed);
    const Method method = seed % 2 == 0 ? Method::lu : Method::cholesky;
    const TaskGraph graph(tree, method, 8);
    Count factor_bytes = 0;
    for (NodeId node = 0; node < tree.num_nodes(); ++node) {
      factor_bytes += front_bytes(tree.front_order(node), tree.num_fully_summed(node), method, 8);
    }
    for (const int num_threads : {1, 2, 8}) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << ", threads " << num_threads);
      const MemoryEstimate estimate = estimate_memory(tree, graph, method, 8, num_threads);
      EXPECT_EQ(estimate.factor_bytes, factor_bytes);
      EXPECT_GE(estimate.upper_bound_bytes, estimate.peak_bytes());
      EXPECT_LE(estimate.arena_bytes, estimate.active_bytes);
      if (num_threads == 1) {
        EXPECT_EQ(estimate.peak_bytes(), estimate.least_bytes());
      }
    }
  }
}

// What is estimated for a grid, and what its factorization reports.
struct Estimated {
  Estimated(Method method, Index width, int num_threads) {
    const auto a = grid_matrix<double>(symmetry_of(method), width, width, width, Values::dominant, 1);
    const auto symbolic = analyze(a.pattern());
    estimate = estimate_memory(*symbolic, method, sizeof(double), num_threads);
    report = factorize<double>(symbolic, method, a.values, {}, {}, FactorizationOptions{.num_threads = num_threads}).report;
  }

  MemoryEstimate estimate;
  FactorizationReport report;
};

TEST(MemoryEstimate, OfOneThreadIsWhatAFactorizationTakes) {
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    SCOPED_TRACE(static_cast<int>(method));
    const Estimated run(method, 14, 1);
    EXPECT_EQ(run.report.num_delayed_pivots, 0);
    EXPECT_EQ(run.report.factor_bytes, run.estimate.factor_bytes);
    EXPECT_LE(run.report.peak_bytes, run.estimate.peak_bytes());
    EXPECT_GE(static_cast<double>(run.report.peak_bytes), 0.85 * static_cast<double>(run.estimate.peak_bytes()));
  }
}

TEST(MemoryEstimate, OfManyThreadsBoundsWhatAFactorizationTakes) {
  for (const Method method : {Method::ldlt, Method::lu}) {
    for (const int num_threads : {2, 5}) {
      SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", threads " << num_threads);
      const Estimated run(method, 12, num_threads);
      EXPECT_LE(run.report.peak_bytes, run.estimate.upper_bound_bytes);
      EXPECT_GE(run.report.peak_bytes, run.estimate.factor_bytes);
    }
  }
}

}  // namespace
}  // namespace frond::test
