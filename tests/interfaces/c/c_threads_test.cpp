// SPDX-License-Identifier: BSD-3-Clause
// Threads that share a solver, and threads with solvers of their own.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "tests/interfaces/c/c_system.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

using testing::make_solver;
using testing::OwnedSolver;
using testing::set_columns;
using testing::solution;

template <class Work>
void on_threads(int count, Work work) {
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) {
    threads.emplace_back([=] { work(k); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

TEST(CThreads, SolveSideBySideWhateverOneOfThemSets) {
  const auto matrix = testing::random_matrix<double>(100, 4, Symmetry::general, testing::Flavour::dominant, 1);
  const auto b = testing::random_dense<double>(100, 2, 1);
  const OwnedSolver owned = make_solver(FROND_DOUBLE);
  frond_solver* solver = owned.get();
  ASSERT_EQ(set_columns(solver, matrix), FROND_SUCCESS);
  const auto expected = solution(solver, b);
  std::atomic<int> num_wrong = 0;
  on_threads(4, [&](int thread) {
    for (int round = 0; round < 30; ++round) {
      frond_status status = FROND_INTERNAL_ERROR;
      num_wrong += solution(solver, b, FROND_PLAIN, &status).values != expected.values || status != FROND_SUCCESS;
      double error = -1;
      num_wrong += frond_get_real(solver, "backward_error", &error) != FROND_SUCCESS;
      if (thread == 0 && round % 5 == 0) {  // factorized anew, with the same result
        num_wrong += frond_set_values(solver, matrix.num_entries(), matrix.values.data()) != FROND_SUCCESS;
      }
    }
  });
  EXPECT_EQ(num_wrong, 0);
}

TEST(CThreads, HaveMessagesOfTheirOwn) {
  const OwnedSolver owned = make_solver(FROND_DOUBLE);
  frond_solver* solver = owned.get();
  std::atomic<int> num_wrong = 0;
  on_threads(4, [&](int thread) {
    for (int round = 0; round < 200; ++round) {
      const std::string name = "no-option-" + std::to_string(thread);
      num_wrong += frond_set(solver, name.c_str(), "1") != FROND_USAGE_ERROR;
      num_wrong += std::string(frond_message(solver)).find(name) == std::string::npos;
    }
  });
  EXPECT_EQ(num_wrong, 0);
}

TEST(CThreads, EachWithASolver) {
  std::atomic<int> num_wrong = 0;
  on_threads(4, [&](int thread) {
    for (int round = 0; round < 5; ++round) {
      const auto matrix =
          testing::random_matrix<double>(80, 4, thread % 2 == 0 ? Symmetry::general : Symmetry::symmetric, testing::Flavour::graded,
                                         static_cast<std::uint64_t>(thread) * 10 + static_cast<std::uint64_t>(round));
      const auto b = testing::random_dense<double>(80, 1, 1);
      const OwnedSolver solver = make_solver(FROND_DOUBLE);
      num_wrong += set_columns(solver.get(), matrix) != FROND_SUCCESS;
      num_wrong += testing::dense_backward_error(testing::dense(matrix), solution(solver.get(), b), b) > 1e-13;
    }
  });
  EXPECT_EQ(num_wrong, 0);
}

}  // namespace
}  // namespace frond
