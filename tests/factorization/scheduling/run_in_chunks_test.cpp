// SPDX-License-Identifier: BSD-3-Clause
// Tests that loops in chunks cover their range once, whatever threads help.
#include "factorization/scheduling/run_in_chunks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "factorization/scheduling/task_pool.hpp"

namespace frond::test {
namespace {

TEST(Chunks, CoverTheRangeOnce) {
  for (const int num_workers : {1, 2, 3, 8}) {
    for (const Index size : {0, 1, 2 * kLeastChunk - 1, 2 * kLeastChunk, 1000, 5003}) {
      SCOPED_TRACE(num_workers);
      SCOPED_TRACE(size);
      const std::unique_ptr<TaskPool> pool = make_thread_pool(num_workers);
      std::vector<int> visits(static_cast<std::size_t>(size), 0);
      std::mutex mutex;
      int num_chunks = 0;
      pool->run([&] {
        run_in_chunks(*pool, 0, size, [&](Index begin, Index end) {
          for (Index i = begin; i < end; ++i) {
            ++visits[i];
          }
          const std::lock_guard lock(mutex);
          ++num_chunks;
        });
        EXPECT_EQ(visits, std::vector<int>(visits.size(), 1));  // all is done when the call returns
      });
      EXPECT_EQ(num_chunks > 1, num_workers > 1 && size >= 2 * kLeastChunk);
    }
  }
}

TEST(Chunks, AreSharedByWorkers) {
  const std::unique_ptr<TaskPool> pool = make_thread_pool(2);
  std::mutex mutex;
  std::set<std::thread::id> workers;
  for (int trial = 0; trial < 10'000 && workers.size() < 2; ++trial) {
    pool->run([&] {
      run_in_chunks(*pool, 0, 100'000, [&](Index, Index) {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
        const std::lock_guard lock(mutex);
        workers.insert(std::this_thread::get_id());
      });
    });
  }
  EXPECT_EQ(workers.size(), 2);
}

// A pool that takes one job, and has no memory for another.
class FullPool final : public TaskPool {
 public:
  void submit(Index /*priority*/, Job job) override {
    if (late_) {
      throw std::bad_alloc();
    }
    late_ = std::move(job);
  }
  void run(Job first) override { first(); }
  [[nodiscard]] int num_workers() const override { return 4; }
  [[nodiscard]] int num_workers_seen() const override { return 1; }
  void run_late() const { late_(); }

 private:
  Job late_;
};

TEST(Chunks, DoWithoutHelpersThatCannotBeAsked) {
  FullPool pool;
  Index num_done = 0;
  run_in_chunks(pool, 0, 8 * kLeastChunk, [&](Index begin, Index end) { num_done += end - begin; });
  EXPECT_EQ(num_done, 8 * kLeastChunk);
  pool.run_late();  // finds nothing left to do
  EXPECT_EQ(num_done, 8 * kLeastChunk);
}

TEST(Chunks, PassTheFirstExceptionOnWhenAllHaveEnded) {
  const std::unique_ptr<TaskPool> pool = make_thread_pool(3);
  std::atomic<int> num_done{0};
  pool->run([&] {
    const auto body = [&](Index begin, Index) {
      ++num_done;
      if (begin == 0) {
        throw std::runtime_error("planted");
      }
    };
    EXPECT_THROW(run_in_chunks(*pool, 0, 6 * kLeastChunk, body), std::runtime_error);
  });
  EXPECT_EQ(num_done, 6);
}

}  // namespace
}  // namespace frond::test
