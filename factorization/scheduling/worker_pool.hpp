// SPDX-License-Identifier: BSD-3-Clause
// Runs jobs on threads of their own, next to the event loop of one of several ranks, or on the threads that ask for them.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "factorization/scheduling/task_pool.hpp"

namespace frond {

/// With more than one worker, jobs start as soon as a thread is free; with one, they wait until run_one() is called, by any
/// thread. Exceptions of jobs go to `on_exception`, on the thread that ran the job, and stop nothing; without it the first one is
/// rethrown at the end of run().
class WorkerPool final : public TaskPool {
 public:
  using ExceptionHandler = std::function<void(const std::exception_ptr&)>;

  /// Uses fewer threads where the system does not start as many.
  explicit WorkerPool(int num_workers, ExceptionHandler on_exception = {});
  ~WorkerPool() override;
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void submit(Index priority, Job job) override;  ///< from any thread, at any time
  void run(Job first) override;                   ///< returns when nothing is left
  [[nodiscard]] int num_workers() const override { return threads_.empty() ? 1 : static_cast<int>(threads_.size()); }
  [[nodiscard]] int num_workers_seen() const override;

  /// With one worker: runs the first job, if there is one.
  bool run_one();
  [[nodiscard]] bool is_idle() const;  ///< nothing waits and nothing runs
  void rethrow();                      ///< the first exception so far, if there was one that `on_exception` did not take

  /// Drops waiting jobs, and those that running ones submit, and returns when none is running.
  void stop();

 private:
  void work();
  void run_first(std::unique_lock<std::mutex>& lock);
  void note_exception();

  ExceptionHandler on_exception_;
  mutable std::mutex mutex_;  // guards all members below except the threads
  std::condition_variable wake_;
  std::condition_variable idle_;
  std::multimap<Index, Job> jobs_;  // by priority, equal ones in the order of arrival
  int num_running_ = 0;
  bool is_stopping_ = false;
  bool is_ending_ = false;
  std::exception_ptr first_exception_;
  std::set<std::thread::id> workers_seen_;
  std::vector<std::thread> threads_;
};

}  // namespace frond
