// SPDX-License-Identifier: BSD-3-Clause
// Factorizations under limits: the least memory suffices, a byte less is refused, and a failure anywhere is a MemoryError.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "factorization/factorize.hpp"
#include "matrices/error.hpp"
#include "tests/factorization/single_front.hpp"
#include "tests/factorization/sparse_problems.hpp"

namespace frond::test {
namespace {

struct Problem {
  Method method;
  SparseMatrix<double> matrix;
  std::shared_ptr<const Symbolic> symbolic;

  Problem(Method how, SparseMatrix<double> what) : method(how), matrix(std::move(what)), symbolic(analyze(matrix.pattern())) {}
  Problem(Method how, Index grid, Values values)
      : Problem(how, grid_matrix<double>(symmetry_of(how), grid, grid, grid, values, 1)) {}

  [[nodiscard]] FactorizationResult<double> run(int num_threads, Count limit) const {
    FactorizationOptions options;
    options.num_threads = num_threads;
    options.memory_limit = limit;
    options.executor = ExecutorKind::threads;
    return factorize<double>(symbolic, method, matrix.values, {}, {}, options);
  }
  [[nodiscard]] Count least_bytes() const { return estimate_memory(*symbolic, method, sizeof(double), 1).least_bytes(); }
};

TEST(FactorizeMemory, LeastBytesSufficeAndAByteLessIsRefused) {
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    const Problem problem(method, 12, Values::dominant);
    const Count least = problem.least_bytes();
    for (const int num_threads : {1, 2}) {
      SCOPED_TRACE(testing::Message() << "method " << static_cast<int>(method) << ", threads " << num_threads);
      EXPECT_LE(problem.run(num_threads, least).report.peak_bytes, least);
      try {
        (void)problem.run(num_threads, least - 1);
        ADD_FAILURE() << "no MemoryError";
      } catch (const MemoryError& error) {
        EXPECT_EQ(error.needed_bytes(), least);
        EXPECT_EQ(error.limit_bytes(), least - 1);
        EXPECT_NE(std::string(error.what()).find(std::to_string(least)), std::string::npos) << error.what();
      }
    }
  }
}

TEST(FactorizeMemory, EveryLimitFromTheLeastOnSuffices) {
  for (const Method method : {Method::ldlt, Method::lu}) {
    const Problem problem(method, 10, Values::dominant);
    const Count least = problem.least_bytes();
    for (const int num_threads : {2, 3, 8}) {
      const Count most = estimate_memory(*problem.symbolic, method, sizeof(double), num_threads).upper_bound_bytes;
      for (int step = 0; step <= 12; ++step) {
        const Count limit = least + (most - least) * step / 12;
        SCOPED_TRACE(testing::Message() << "method " << static_cast<int>(method) << ", threads " << num_threads << ", limit "
                                        << limit << " of " << least << " .. " << most);
        EXPECT_LE(problem.run(num_threads, limit).report.peak_bytes, limit);
      }
    }
  }
}

// Leaf subtrees of two sizes: the limit admits a small one ahead of its turn, though workspaces are made for large ones.
TEST(FactorizeMemory, LimitsThatAdmitASmallSubtreeAheadSuffice) {
  std::vector<Index> sizes(60, 6);
  sizes.insert(sizes.end(), 60, 5);
  const Problem problem(Method::ldlt, uncoupled_grids(Symmetry::symmetric, sizes, 1));
  const TaskGraph graph(problem.symbolic->tree(), problem.method, sizeof(double));
  std::set<Count> ahead_bytes;
  for (TaskId id = 0; id < graph.num_tasks(); ++id) {
    ahead_bytes.insert(graph.task(id).workspace_bytes + graph.task(id).output_bytes);
  }
  EXPECT_GT(ahead_bytes.size(), 1U);
  for (const Count bytes : ahead_bytes) {
    for (int repeat = 0; repeat < 5; ++repeat) {
      const Count limit = problem.least_bytes() + bytes;
      Count peak = 0;
      EXPECT_NO_THROW(peak = problem.run(4, limit).report.peak_bytes) << "room for " << bytes << " bytes ahead";
      EXPECT_LE(peak, limit);
    }
  }
}

TEST(FactorizeMemory, EveryLimitBelowTheLeastIsRefused) {
  const Problem problem(Method::lu, 6, Values::dominant);
  const Count least = problem.least_bytes();
  for (int step = 0; step < 100; ++step) {
    EXPECT_THROW((void)problem.run(1 + step % 3, 1 + (least - 1) * step / 100), MemoryError);
  }
}

// Delayed pivots take more than the analysis can know: the meter refuses somewhere in the middle of the run.
TEST(FactorizeMemory, DelayedPivotsPastTheLimitAreAMemoryError) {
  for (const Method method : {Method::ldlt, Method::lu}) {
    const Problem problem(method, 7, Values::zero_diagonal);
    const FactorizationReport unlimited = problem.run(1, 0).report;
    ASSERT_GT(unlimited.num_delayed_pivots, 0);
    const Count least = problem.least_bytes();
    ASSERT_GT(unlimited.peak_bytes, least);
    int num_refused = 0;
    int num_done = 0;
    for (int step = 0; step <= 40; ++step) {
      const Count limit = least + (unlimited.peak_bytes - least) * step / 40;
      for (const int num_threads : {1, 2}) {
        try {
          EXPECT_LE(problem.run(num_threads, limit).report.peak_bytes, limit);
          ++num_done;
        } catch (const MemoryError& error) {
          EXPECT_GT(error.needed_bytes(), error.limit_bytes());
          ++num_refused;
        }
      }
    }
    EXPECT_GT(num_refused, 0);
    EXPECT_GT(num_done, 0);
    EXPECT_EQ(problem.run(1, unlimited.peak_bytes).report.peak_bytes, unlimited.peak_bytes);
  }
}

}  // namespace
}  // namespace frond::test
