// SPDX-License-Identifier: BSD-3-Clause
// Tests factorizations under memory limits: the least limit suffices, one byte less is refused, and failures anywhere are
// MemoryErrors.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "factorization/factorize.hpp"
#include "frond/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/ranks/single_front.hpp"

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
    FactorizationRunOptions options;
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
    for (const int num_threads : {1, 2, 8}) {
      SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", threads " << num_threads);
      EXPECT_LE(problem.run(num_threads, least).report.peak_bytes, least);
      const auto error = testing::error_of<MemoryError>([&] { (void)problem.run(num_threads, least - 1); });
      EXPECT_EQ(error.needed_bytes(), least);
      EXPECT_EQ(error.limit_bytes(), least - 1);
      EXPECT_NE(std::string(error.what()).find(std::to_string(least)), std::string::npos) << error.what();
    }
  }
}

TEST(FactorizeMemory, NamesWhatSetsALimitThatNobodyChose) {
  const Problem problem(Method::ldlt, 6, Values::dominant);
  FactorizationRunOptions options;
  options.memory_limit = 1000;
  options.memory_limit_reason = "the control group /a/b (memory.max, 2 MiB kept free)";
  const auto error = testing::error_of<MemoryError>(
      [&] { (void)factorize<double>(problem.symbolic, problem.method, problem.matrix.values, {}, {}, options); });
  const std::string text = error.what();
  EXPECT_NE(text.find("but the control group /a/b (memory.max, 2 MiB kept free) leaves only 1000: "), std::string::npos) << text;
}

TEST(FactorizeMemory, EveryLimitFromTheLeastOnSuffices) {
  for (const Method method : {Method::ldlt, Method::lu}) {
    const Problem problem(method, 10, Values::dominant);
    const Count least = problem.least_bytes();
    for (const int num_threads : {2, 3, 8}) {
      const Count most = estimate_memory(*problem.symbolic, method, sizeof(double), num_threads).upper_bound_bytes;
      for (int step = 0; step <= 12; ++step) {
        const Count limit = least + (most - least) * step / 12;
        SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", threads " << num_threads << ", limit "
                                          << limit << " of " << least << " .. " << most);
        EXPECT_LE(problem.run(num_threads, limit).report.peak_bytes, limit);
      }
    }
  }
}

// Leaf subtrees of two sizes: the limit admits a small one ahead of its turn, though workspaces are sized for large ones.
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

// Delayed pivots need more than the analysis can predict: the meter refuses in the middle of the run.
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
      for (const int num_threads : {1, 2, 8}) {
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

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // their shadow memory does not fit any address-space limit

Count address_space_bytes() {
  std::ifstream file("/proc/self/statm");
  Count pages = 0;
  file >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}

enum Outcome : int { done = 0, refused = 3, wrong_exception = 4 };

// Factorizes in a child process that may map `room` additional bytes. The exit code shows which exception escaped.
int outcome_with_room(const Problem& problem, int num_threads, Count room) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(5);
    (void)problem.run(1, 0);  // OpenBLAS closes its threads when a process forks; from now on it has them and its buffers again
    const auto limit = static_cast<rlim_t>(address_space_bytes() + room);
    const rlimit address_space{limit, limit};
    setrlimit(RLIMIT_AS, &address_space);
    try {
      (void)problem.run(num_threads, 0);
      _exit(done);
    } catch (const MemoryError&) {
      _exit(refused);
    } catch (...) {
      _exit(wrong_exception);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(FactorizeMemory, WhatTheSystemRefusesIsAMemoryErrorWhereverItHappens) {
  for (const Values values : {Values::dominant, Values::zero_diagonal}) {
    const Problem problem(Method::lu, 7, values);
    const Count peak = problem.run(1, 0).report.peak_bytes;
    for (const int num_threads : {1, 2, 8}) {
      int num_refused = 0;
      for (int step = 0; step < 60; ++step) {
        const Count room =
            step < 40 ? 2 * peak * step / 40 : Count{step - 39} << 25;  // up to what fronts, threads and OpenBLAS's buffers need
        const int outcome = outcome_with_room(problem, num_threads, room);
        EXPECT_TRUE(outcome == done || outcome == refused)
            << num_threads << " threads with room for " << room << " bytes: " << outcome;
        num_refused += outcome == refused ? 1 : 0;
      }
      EXPECT_GT(num_refused, 0);
      EXPECT_EQ(outcome_with_room(problem, num_threads, Count{2} << 30), done);
    }
  }
}

#endif

}  // namespace
}  // namespace frond::test
