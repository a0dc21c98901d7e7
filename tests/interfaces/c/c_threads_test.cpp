// SPDX-License-Identifier: BSD-3-Clause
// Tests threads that share a solver, and threads that each have one.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>

#include "tests/interfaces/c/c_system.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/run_threads.hpp"

namespace frond::testing {
namespace {

TEST(CThreads, SolveSideBySideWhateverOneOfThemSets) {
  const auto matrix = random_matrix<double>(100, 4, Symmetry::general, Flavour::dominant, 1);
  const auto b = random_dense<double>(100, 2, 1);
  const OwnedSolver owned = make_solver(FROND_DOUBLE);
  frond_solver* solver = owned.get();
  ASSERT_EQ(set_columns(solver, matrix), FROND_SUCCESS);
  const auto expected = solution(solver, b);
  std::atomic<int> num_wrong = 0;
  run_threads(4, [&](int thread) {
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
  run_threads(4, [&](int thread) {
    for (int round = 0; round < 200; ++round) {
      const std::string name = "no-option-" + std::to_string(thread);
      num_wrong += frond_set(solver, name.c_str(), "1") != FROND_USAGE_ERROR;
      num_wrong += std::string(frond_message(solver)).find(name) == std::string::npos;
    }
  });
  EXPECT_EQ(num_wrong, 0);
}

/// A solver with a factorized matrix that four threads use for solves again and again.
class BusySolver : public ::testing::Test {
 protected:
  BusySolver() {
    EXPECT_EQ(set_columns(solver(), random_matrix<double>(kOrder, 4, Symmetry::general, Flavour::dominant, 1)), FROND_SUCCESS);
    EXPECT_TRUE(succeeds(solver(), frond_factorize(solver())));
  }

  [[nodiscard]] frond_solver* solver() const { return owned_.get(); }

  frond_status solve(int count) {
    const auto b = random_dense<double>(kOrder, count, 1);
    frond_status status = FROND_INTERNAL_ERROR;
    static_cast<void>(solution(solver(), b, FROND_PLAIN, &status));
    return status;
  }

  // Calls work(thread) in a loop on four threads until `of_main` returns.
  template <class Work, class Main>
  void while_four(Work work, Main of_main) {
    std::atomic<bool> is_over = false;
    run_threads(5, [&](int thread) {
      if (thread == 4) {
        of_main();
        is_over = true;
      }
      while (!is_over) {
        work(thread);
      }
    });
  }

  static constexpr Index kOrder = 100;

 private:
  OwnedSolver owned_ = make_solver(FROND_DOUBLE);
};

// Each solve runs until a later one has begun, so that one is always running, provided that the next begins soon.
TEST_F(BusySolver, IsSetNevertheless) {
  static std::atomic<int> num_begun;
  const auto wait_for_another = [](void* /*context*/) {
    const int mine = ++num_begun;
    for (int k = 0; k < 20 && num_begun == mine; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return 0;
  };
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const auto is_late = [end] { return std::chrono::steady_clock::now() > end; };
  std::atomic<int> num_wrong = 0;
  while_four(
      [&](int /*thread*/) {
        num_wrong += frond_set_own_callbacks(solver(), nullptr, wait_for_another, nullptr) != FROND_SUCCESS;
        num_wrong += !is_late() && solve(1) != FROND_SUCCESS;
      },
      [&] {
        while (num_begun == 0) {
          std::this_thread::yield();
        }
        EXPECT_EQ(frond_set(solver(), "refine-steps", "1"), FROND_SUCCESS);
        EXPECT_FALSE(is_late());
      });
  EXPECT_EQ(num_wrong, 0);
}

TEST_F(BusySolver, IsStoppedByWhatIsSetWhileItWorks) {
  int flag = 1;
  std::atomic<int> num_stopped = 0;
  std::atomic<int> num_wrong = 0;
  while_four(
      [&](int /*thread*/) {
        const frond_status status = solve(64);
        num_stopped += status == FROND_STOPPED;
        num_wrong += status != FROND_SUCCESS && status != FROND_STOPPED;
      },
      [&] {
        EXPECT_EQ(frond_set_stop(solver(), frond_stop_if_set, &flag), FROND_SUCCESS);
        while (num_stopped < 8) {
          std::this_thread::yield();
        }
        EXPECT_EQ(frond_set_stop(solver(), nullptr, nullptr), FROND_SUCCESS);
      });
  EXPECT_EQ(num_wrong, 0);
}

TEST_F(BusySolver, IsStoppedForThoseWhoAskForIt) {
  int flag = 1;
  std::atomic<int> num_wrong = 0;
  run_threads(4, [&](int thread) {
    const bool stops = thread % 2 == 0;
    num_wrong += frond_set_own_callbacks(solver(), nullptr, stops ? frond_stop_if_set : nullptr, &flag) != FROND_SUCCESS;
    for (int round = 0; round < 50; ++round) {
      num_wrong += solve(64) != (stops ? FROND_STOPPED : FROND_SUCCESS);
    }
  });
  EXPECT_EQ(num_wrong, 0);
}

// Later calls must not extend the time limit of a running one.
TEST_F(BusySolver, EndsEachCallByItsOwnClock) {
  ASSERT_EQ(frond_set(solver(), "time-limit", "0.5"), FROND_SUCCESS);
  const auto sleep = [](void* /*context*/) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return 0;
  };
  frond_status status = FROND_INTERNAL_ERROR;
  while_four([&](int /*thread*/) { static_cast<void>(solve(1)); },
             [&] {
               EXPECT_EQ(frond_set_own_callbacks(solver(), nullptr, sleep, nullptr), FROND_SUCCESS);
               status = solve(8192);
             });
  EXPECT_EQ(status, FROND_STOPPED);
}

TEST(CThreads, EachWithASolver) {
  std::atomic<int> num_wrong = 0;
  run_threads(4, [&](int thread) {
    for (int round = 0; round < 5; ++round) {
      const auto matrix = random_matrix<double>(80, 4, thread % 2 == 0 ? Symmetry::general : Symmetry::symmetric, Flavour::graded,
                                                static_cast<std::uint64_t>(thread) * 10 + static_cast<std::uint64_t>(round));
      const auto b = random_dense<double>(80, 1, 1);
      const OwnedSolver solver = make_solver(FROND_DOUBLE);
      num_wrong += set_columns(solver, matrix) != FROND_SUCCESS;
      num_wrong += dense_backward_error(dense(matrix), solution(solver, b), b) > 1e-13;
    }
  });
  EXPECT_EQ(num_wrong, 0);
}

}  // namespace
}  // namespace frond::testing
