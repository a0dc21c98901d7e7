// SPDX-License-Identifier: BSD-3-Clause
// Lets oneTBB empty a queue of jobs by priority.
#include "factorization/scheduling/task_pool.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "factorization/scheduling/worker_pool.hpp"

namespace frond {
namespace {

// Each submission is one task that runs the first job of the queue at the time the task is reached.
class TbbPool final : public TaskPool {
 public:
  explicit TbbPool(int num_workers) : more_workers_(allow(num_workers)), arena_(num_workers) {}
  ~TbbPool() noexcept override = default;

  void submit(Index priority, Job job) override {
    queue_.submit(priority, std::move(job));
    group_.run([this] { queue_.run_one(); });
  }
  void run(Job first) override {
    arena_.execute([&] {
      submit(0, std::move(first));
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

  WorkerPool queue_{1};
  std::unique_ptr<tbb::global_control> more_workers_;  // before arena_
  tbb::task_arena arena_;
  tbb::task_group group_;
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

std::unique_ptr<TaskPool> make_inline_pool() { return std::make_unique<WorkerPool>(1); }
std::unique_ptr<TaskPool> make_tbb_pool(int num_workers) {
  if (!can_start_threads(num_workers - 1)) {
    return make_inline_pool();
  }
  return std::make_unique<TbbPool>(num_workers);
}
std::unique_ptr<TaskPool> make_thread_pool(int num_workers) { return std::make_unique<WorkerPool>(num_workers); }

}  // namespace frond
