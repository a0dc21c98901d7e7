// SPDX-License-Identifier: BSD-3-Clause
// Implements one queue of jobs by priority, and three ways to empty it.
#include "factorization/scheduling/task_pool.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace frond {
namespace {

// The waiting jobs, the first exception, and the threads that have worked.
class JobQueue {
 public:
  void push(Index priority, TaskPool::Job job) {
    const std::lock_guard lock(mutex_);
    jobs_.push_back({priority, next_number_++, std::move(job)});
    std::push_heap(jobs_.begin(), jobs_.end(), runs_later);
  }

  // Runs the first job; returns false if there is none.
  bool run_one() {
    try {
      TaskPool::Job job;
      {
        const std::lock_guard lock(mutex_);
        if (jobs_.empty()) {
          return false;
        }
        std::pop_heap(jobs_.begin(), jobs_.end(), runs_later);
        job = std::move(jobs_.back().job);
        jobs_.pop_back();
        workers_.insert(std::this_thread::get_id());
      }
      job();
    } catch (...) {
      note_exception();
    }
    return true;
  }

  // Called while an exception is being handled.
  void note_exception() {
    const std::lock_guard lock(mutex_);
    if (!first_exception_) {
      first_exception_ = std::current_exception();
    }
  }

  void rethrow() {
    if (first_exception_) {
      std::rethrow_exception(std::exchange(first_exception_, nullptr));
    }
  }

  [[nodiscard]] int num_workers_seen() {
    const std::lock_guard lock(mutex_);
    return static_cast<int>(workers_.size());
  }

 private:
  struct Entry {
    Index priority;
    Count number;  // equal priorities go in the order of submission
    TaskPool::Job job;
  };
  static bool runs_later(const Entry& a, const Entry& b) {
    return std::pair(a.priority, a.number) > std::pair(b.priority, b.number);
  }

  std::mutex mutex_;
  std::vector<Entry> jobs_;
  Count next_number_ = 0;
  std::exception_ptr first_exception_;
  std::set<std::thread::id> workers_;
};

class InlinePool final : public TaskPool {
 public:
  void submit(Index priority, Job job) override { queue_.push(priority, std::move(job)); }
  void run(Job first) override {
    queue_.push(0, std::move(first));
    while (queue_.run_one()) {
    }
    queue_.rethrow();
  }
  [[nodiscard]] int num_workers() const override { return 1; }
  [[nodiscard]] int num_workers_seen() const override { return queue_.num_workers_seen(); }

 private:
  mutable JobQueue queue_;
};

// Each submission is one task that runs the first job of the queue at the time the task is reached.
class TbbPool final : public TaskPool {
 public:
  explicit TbbPool(int num_workers) : more_workers_(allow(num_workers)), arena_(num_workers) {}
  ~TbbPool() noexcept override = default;

  void submit(Index priority, Job job) override {
    queue_.push(priority, std::move(job));
    group_.run([this] { queue_.run_one(); });
  }
  void run(Job first) override {
    arena_.execute([&] {
      try {
        submit(0, std::move(first));
      } catch (...) {
        queue_.note_exception();
      }
      group_.wait();
    });
    queue_.rethrow();
  }
  [[nodiscard]] int num_workers() const override { return arena_.max_concurrency(); }
  [[nodiscard]] int num_workers_seen() const override { return queue_.num_workers_seen(); }

 private:
  // oneTBB has as many workers as the processor has cores; more come only if asked for.
  static std::unique_ptr<tbb::global_control> allow(int num_workers) {
    const auto wanted = static_cast<std::size_t>(num_workers);
    return wanted > tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism)
               ? std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, wanted)
               : nullptr;
  }

  mutable JobQueue queue_;
  std::unique_ptr<tbb::global_control> more_workers_;  // before arena_
  tbb::task_arena arena_;
  tbb::task_group group_;
};

class ThreadPool final : public TaskPool {
 public:
  explicit ThreadPool(int num_workers) : num_workers_(num_workers) {}

  void submit(Index priority, Job job) override {
    queue_.push(priority, std::move(job));
    const std::lock_guard lock(mutex_);
    ++num_open_;
    ++num_submitted_;
    wake_.notify_one();
  }
  void run(Job first) override {
    submit(0, std::move(first));
    std::vector<std::jthread> threads;
    try {
      for (int i = 1; i < num_workers_; ++i) {
        threads.emplace_back([this] { work(); });
      }
    } catch (const std::system_error&) {  // fewer threads do the same work
    }
    work();
    threads.clear();
    queue_.rethrow();
  }
  [[nodiscard]] int num_workers() const override { return num_workers_; }
  [[nodiscard]] int num_workers_seen() const override { return queue_.num_workers_seen(); }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (num_open_ > 0) {
      const Count seen = num_submitted_;
      lock.unlock();
      const bool ran = queue_.run_one();
      lock.lock();
      if (ran) {
        if (--num_open_ == 0) {
          wake_.notify_all();
        }
      } else {
        wake_.wait(lock, [&] { return num_open_ == 0 || num_submitted_ != seen; });
      }
    }
  }

  int num_workers_;
  mutable JobQueue queue_;
  std::mutex mutex_;
  std::condition_variable wake_;
  Count num_open_ = 0;  // queued or running
  Count num_submitted_ = 0;
};

// True if the system lets this many threads run at a time. oneTBB must not be asked for workers that cannot start: its destructors
// would wait for them forever.
bool can_start_threads(int count) {
  try {
    std::vector<std::jthread> threads;
    threads.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      threads.emplace_back([] {});
    }
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

}  // namespace

std::unique_ptr<TaskPool> make_inline_pool() { return std::make_unique<InlinePool>(); }
std::unique_ptr<TaskPool> make_tbb_pool(int num_workers) {
  if (!can_start_threads(num_workers - 1)) {
    return make_inline_pool();
  }
  return std::make_unique<TbbPool>(num_workers);
}
std::unique_ptr<TaskPool> make_thread_pool(int num_workers) { return std::make_unique<ThreadPool>(num_workers); }

}  // namespace frond
