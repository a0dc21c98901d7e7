// SPDX-License-Identifier: BSD-3-Clause
// Tests that subnormals are flushed on request, in all jobs of a factorization, and nowhere else.
#include "factorization/fronts/subnormals.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <limits>

#include "factorization/factorize.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/matrices/subnormal_factors.hpp"

namespace frond::test {
namespace {

// Multiplies at run time.
float product(float a, float b) {
  const volatile float factor = a;
  return factor * b;
}

#ifdef __SSE2__

TEST(SubnormalsFlushed, AreZeroWhileItLives) {
  constexpr float kSmallest = std::numeric_limits<float>::min();
  EXPECT_GT(product(kSmallest, 0.5F), 0);
  {
    const SubnormalsFlushed flushed(true);
    EXPECT_EQ(product(kSmallest, 0.5F), 0) << "a result";
    EXPECT_EQ(product(std::numeric_limits<float>::denorm_min(), 1e30F), 0) << "an operand";
    EXPECT_EQ(product(kSmallest, 1), kSmallest);
    {
      const SubnormalsFlushed not_wanted(false);
      EXPECT_EQ(product(kSmallest, 0.5F), 0) << "nothing is taken back";
    }
  }
  EXPECT_GT(product(kSmallest, 0.5F), 0);
}

TEST(SubnormalsKept, AreNumbersWhileItLives) {
  constexpr float kSmallest = std::numeric_limits<float>::min();
  const SubnormalsFlushed flushed(true);
  {
    const SubnormalsKept kept;
    EXPECT_GT(product(kSmallest, 0.5F), 0) << "a result";
    EXPECT_GT(product(std::numeric_limits<float>::denorm_min(), 1e30F), 0) << "an operand";
    {
      const SubnormalsFlushed again(true);
      EXPECT_EQ(product(kSmallest, 0.5F), 0);
    }
    EXPECT_GT(product(kSmallest, 0.5F), 0);
  }
  EXPECT_EQ(product(kSmallest, 0.5F), 0);
}

TEST(SubnormalsFlushed, LeavesWhatArithmeticHasMet) {
  std::feclearexcept(FE_ALL_EXCEPT);
  {
    const SubnormalsFlushed flushed(true);
    EXPECT_GT(product(std::numeric_limits<float>::max(), 2), std::numeric_limits<float>::max());
  }
  EXPECT_TRUE(std::fetestexcept(FE_OVERFLOW) != 0);
  std::feclearexcept(FE_ALL_EXCEPT);
}

TEST(SubnormalsFlushed, InAllJobsOfAFactorizationThatAsksForIt) {
  const SparseMatrix<double> a = weakly_coupled_grid();
  const auto symbolic = analyze(a.pattern());
  for (const Method method : {Method::cholesky, Method::ldlt}) {
    for (const ExecutorKind executor : {ExecutorKind::tbb, ExecutorKind::threads}) {
      for (const int num_threads : {1, 3}) {
        FactorizationRunOptions options;
        options.executor = executor;
        options.num_threads = num_threads;
        EXPECT_GT(num_subnormals(*factorize<double>(symbolic, method, a.values, {}, {}, options).factors), 0);
        options.flushes_subnormals = true;
        EXPECT_EQ(num_subnormals(*factorize<double>(symbolic, method, a.values, {}, {}, options).factors), 0);
      }
    }
  }
}

#endif

}  // namespace
}  // namespace frond::test
