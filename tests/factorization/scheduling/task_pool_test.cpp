// SPDX-License-Identifier: BSD-3-Clause
// Tests pools: every job once, priorities, nesting, exceptions, workers really seen, two pools at once.
#include "factorization/scheduling/task_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace frond::test {
namespace {

struct PoolKind {
  const char* name;
  std::function<std::unique_ptr<TaskPool>()> make;
};

class TaskPoolTest : public ::testing::TestWithParam<PoolKind> {};
INSTANTIATE_TEST_SUITE_P(Pools, TaskPoolTest,
                         ::testing::Values(PoolKind{"inline", [] { return make_inline_pool(); }},
                                           PoolKind{"tbb1", [] { return make_tbb_pool(1); }},
                                           PoolKind{"tbb4", [] { return make_tbb_pool(4); }},
                                           PoolKind{"threads1", [] { return make_thread_pool(1); }},
                                           PoolKind{"threads4", [] { return make_thread_pool(4); }}),
                         [](const auto& kind) { return std::string(kind.param.name); });

TEST_P(TaskPoolTest, RunsEveryJobOnce) {
  const auto pool = GetParam().make();
  std::vector<std::atomic<int>> runs(1000);
  pool->run([&] {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      pool->submit(static_cast<Index>(i % 7), [&runs, i] { ++runs[i]; });
    }
  });
  for (const auto& count : runs) {
    EXPECT_EQ(count, 1);
  }
}

TEST_P(TaskPoolTest, RunsWhatJobsSubmit) {
  const auto pool = GetParam().make();
  std::atomic<int> num_leaves{0};
  std::function<void(int)> split = [&](int depth) {
    if (depth == 0) {
      ++num_leaves;
      return;
    }
    for (int half = 0; half < 2; ++half) {
      pool->submit(depth, [&split, depth] { split(depth - 1); });
    }
  };
  pool->run([&] { split(10); });
  EXPECT_EQ(num_leaves, 1024);
}

TEST_P(TaskPoolTest, MayRunAgain) {
  const auto pool = GetParam().make();
  std::atomic<int> runs{0};
  for (int repeat = 0; repeat < 20; ++repeat) {
    pool->run([&] { pool->submit(0, [&] { ++runs; }); });
    EXPECT_EQ(runs, repeat + 1);
  }
}

TEST_P(TaskPoolTest, RethrowsTheExceptionAfterEverythingHasRun) {
  const auto pool = GetParam().make();
  std::atomic<int> runs{0};
  EXPECT_THROW(pool->run([&] {
    for (int i = 0; i < 100; ++i) {
      pool->submit(i, [&runs, i] {
        ++runs;
        if (i == 5) {
          throw std::runtime_error("planned");
        }
      });
    }
  }),
               std::runtime_error);
  EXPECT_EQ(runs, 100);
  pool->run([&] { ++runs; });  // the exception is not thrown again
  EXPECT_EQ(runs, 101);
}

TEST_P(TaskPoolTest, RethrowsWhatTheFirstJobThrows) {
  const auto pool = GetParam().make();
  EXPECT_THROW(pool->run([] { throw std::logic_error("planned"); }), std::logic_error);
}

TEST_P(TaskPoolTest, CountsItsWorkers) {
  const auto pool = GetParam().make();
  EXPECT_EQ(pool->num_workers_seen(), 0);
  pool->run([] {});
  EXPECT_GE(pool->num_workers_seen(), 1);
  EXPECT_LE(pool->num_workers_seen(), pool->num_workers());
}

TEST(InlinePool, RunsByPriorityAndInOrderAmongEquals) {
  const auto pool = make_inline_pool();
  std::vector<int> order;
  pool->run([&] {
    pool->submit(2, [&] { order.push_back(20); });
    pool->submit(1, [&] {
      order.push_back(10);
      pool->submit(0, [&] { order.push_back(0); });
    });
    pool->submit(2, [&] { order.push_back(21); });
    pool->submit(1, [&] { order.push_back(11); });
  });
  EXPECT_EQ(order, (std::vector<int>{10, 0, 11, 20, 21}));
}

// Runs eight jobs that wait for each other: possible only with eight workers, however few cores there are.
bool meets_all_workers(TaskPool& pool, int num_jobs) {
  std::mutex mutex;
  std::condition_variable arrived;
  int num_arrived = 0;
  bool met = true;
  pool.run([&] {
    for (int i = 0; i < num_jobs; ++i) {
      pool.submit(0, [&] {
        std::unique_lock lock(mutex);
        ++num_arrived;
        arrived.notify_all();
        met = arrived.wait_for(lock, std::chrono::seconds(10), [&] { return num_arrived == num_jobs; }) && met;
      });
    }
  });
  return met;
}

TEST(ThreadPool, BringsEightWorkersOnFewCores) {
  const auto pool = make_thread_pool(8);
  EXPECT_TRUE(meets_all_workers(*pool, 8));
  EXPECT_EQ(pool->num_workers_seen(), 8);
}

TEST(TbbPool, BringsEightWorkersOnFewCores) {
  const auto pool = make_tbb_pool(8);
  EXPECT_EQ(pool->num_workers(), 8);
  EXPECT_TRUE(meets_all_workers(*pool, 8));
  EXPECT_EQ(pool->num_workers_seen(), 8);
}

TEST(TaskPool, TwoPoolsWorkAtOnce) {
  for (const auto& make : {make_tbb_pool, make_thread_pool}) {
    std::atomic<int> runs{0};
    const auto use_a_pool = [&] {
      const auto pool = make(3);
      pool->run([&] {
        for (int i = 0; i < 500; ++i) {
          pool->submit(i, [&] { ++runs; });
        }
      });
    };
    {
      const std::jthread first(use_a_pool);
      const std::jthread second(use_a_pool);
    }
    EXPECT_EQ(runs, 1000);
  }
}

}  // namespace
}  // namespace frond::test
