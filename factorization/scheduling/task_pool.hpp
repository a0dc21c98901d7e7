// SPDX-License-Identifier: BSD-3-Clause
// Runs the jobs of a factorization on the calling thread, oneTBB, or plain threads.
#pragma once

#include <functional>
#include <memory>

#include "frond/types.hpp"

namespace frond {

/// Runs jobs, those of lower priority number first. Jobs may submit jobs and must not wait for one another.
class TaskPool {
 public:
  using Job = std::function<void()>;

  virtual ~TaskPool() = default;

  /// Queues a job; called from inside run(). Thread-safe.
  virtual void submit(Index priority, Job job) = 0;

  /// Runs `first` and everything that is submitted from it; returns when nothing is left. A job that
  /// throws does not stop the others (the submitting code must know when to stop); the first exception is rethrown at the end.
  virtual void run(Job first) = 0;

  [[nodiscard]] virtual int num_workers() const = 0;

  /// Number of distinct threads that have run a job so far.
  [[nodiscard]] virtual int num_workers_seen() const = 0;
};

/// Makes a pool that runs everything on the calling thread, in order of priority.
[[nodiscard]] std::unique_ptr<TaskPool> make_inline_pool();

/// Makes a oneTBB arena of `num_workers` slots, which shares the processor with other users of oneTBB in the program. Where the
/// system cannot start as many threads, an inline pool takes its place.
[[nodiscard]] std::unique_ptr<TaskPool> make_tbb_pool(int num_workers);

/// Makes a pool of `num_workers` threads of its own, or as many of them as the system starts. For race detection, since a oneTBB
/// without instrumentation hides races and reports false ones.
[[nodiscard]] std::unique_ptr<TaskPool> make_thread_pool(int num_workers);

}  // namespace frond
