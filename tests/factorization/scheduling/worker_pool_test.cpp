// SPDX-License-Identifier: BSD-3-Clause
// Tests the jobs of one rank: who runs them, in which order, and what stops them.
#include "factorization/scheduling/worker_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace frond::test {
namespace {

void ignore(const std::exception_ptr& /*exception*/) {}

TEST(WorkerPool, WithOneWorkerTheLoopRunsJobsByPriority) {
  WorkerPool pool(1, ignore);
  std::vector<int> order;
  for (const int priority : {2, 1, 3, 1}) {
    pool.submit(priority, [&order, priority, number = order.size()] { order.push_back(priority); });
  }
  EXPECT_FALSE(pool.is_idle());
  EXPECT_TRUE(order.empty());
  while (pool.run_one()) {
  }
  EXPECT_EQ(order, (std::vector<int>{1, 1, 2, 3}));
  EXPECT_TRUE(pool.is_idle());
  EXPECT_EQ(pool.num_workers_seen(), 1);
}

TEST(WorkerPool, WithMoreWorkersThreadsRunThem) {
  WorkerPool pool(3, ignore);
  EXPECT_EQ(pool.num_workers(), 3);
  std::atomic<int> sum{0};
  pool.run([&] {
    for (int i = 1; i <= 100; ++i) {
      pool.submit(i, [&sum, i] { sum += i; });
    }
  });
  EXPECT_EQ(sum, 5050);
  EXPECT_FALSE(pool.run_one());
}

TEST(WorkerPool, HandsExceptionsOnAndGoesOn) {
  for (const int num_workers : {1, 2}) {
    std::atomic<int> num_exceptions{0};
    std::atomic<int> num_jobs{0};
    WorkerPool pool(num_workers, [&](const std::exception_ptr& exception) {
      EXPECT_THROW(std::rethrow_exception(exception), std::runtime_error);
      ++num_exceptions;
    });
    pool.run([&] {
      pool.submit(1, [] { throw std::runtime_error("planted"); });
      pool.submit(2, [&] { ++num_jobs; });
    });
    EXPECT_EQ(num_exceptions, 1);
    EXPECT_EQ(num_jobs, 1);
  }
}

TEST(WorkerPool, ForgetsWhatWaitsWhenItIsStopped) {
  for (const int num_workers : {1, 2}) {
    WorkerPool pool(num_workers, ignore);
    std::atomic<int> num_jobs{0};
    std::function<void()> endless = [&] {
      ++num_jobs;
      pool.submit(0, endless);
    };
    pool.submit(0, endless);
    pool.stop();
    const int num_before = num_jobs;
    EXPECT_TRUE(pool.is_idle());
    EXPECT_FALSE(pool.run_one());
    pool.run([&] { num_jobs = -1; });
    EXPECT_EQ(num_jobs, -1) << num_before;
  }
}

}  // namespace
}  // namespace frond::test
