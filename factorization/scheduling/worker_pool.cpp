// SPDX-License-Identifier: BSD-3-Clause
// One queue of jobs by priority, and the threads that empty it.
#include "factorization/scheduling/worker_pool.hpp"

#include <utility>

namespace frond {

WorkerPool::WorkerPool(int num_workers, ExceptionHandler on_exception) : on_exception_(std::move(on_exception)) {
  threads_.reserve(static_cast<std::size_t>(num_workers));  // a vector that holds running threads must not fail to grow
  try {
    for (int i = 0; i < num_workers && num_workers > 1; ++i) {
      threads_.emplace_back([this] { work(); });
    }
  } catch (const std::exception&) {  // of the system, or for lack of memory: fewer threads do the same work
  }
}

WorkerPool::~WorkerPool() {
  stop();
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

void WorkerPool::submit(Index priority, Job job) {
  {
    const std::lock_guard lock(mutex_);
    if (is_stopping_) {
      return;
    }
    jobs_.emplace(priority, std::move(job));
  }
  wake_.notify_one();
}

void WorkerPool::run(Job first) {
  submit(0, std::move(first));
  while (run_one()) {
  }
  {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return jobs_.empty() && num_running_ == 0; });
  }
  rethrow();
}

void WorkerPool::rethrow() {
  if (first_exception_) {
    std::rethrow_exception(std::exchange(first_exception_, nullptr));
  }
}

int WorkerPool::num_workers_seen() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(workers_seen_.size());
}

bool WorkerPool::run_one() {
  if (!threads_.empty()) {
    return false;
  }
  std::unique_lock lock(mutex_);
  if (jobs_.empty()) {
    return false;
  }
  run_first(lock);
  return true;
}

bool WorkerPool::is_idle() const {
  const std::lock_guard lock(mutex_);
  return jobs_.empty() && num_running_ == 0;
}

void WorkerPool::stop() {
  std::unique_lock lock(mutex_);
  is_stopping_ = true;
  jobs_.clear();
  idle_.wait(lock, [this] { return num_running_ == 0; });
  is_stopping_ = false;
}

void WorkerPool::work() {
  std::unique_lock lock(mutex_);
  while (!is_ending_) {
    if (jobs_.empty()) {
      wake_.wait(lock);
    } else {
      run_first(lock);
    }
  }
}

// Called while an exception is being handled.
void WorkerPool::note_exception() {
  if (on_exception_) {
    return on_exception_(std::current_exception());
  }
  const std::lock_guard lock(mutex_);
  if (!first_exception_) {
    first_exception_ = std::current_exception();
  }
}

// Takes the first job and runs it without the lock.
void WorkerPool::run_first(std::unique_lock<std::mutex>& lock) {
  Job job = std::move(jobs_.extract(jobs_.begin()).mapped());
  ++num_running_;
  try {
    workers_seen_.insert(std::this_thread::get_id());
    lock.unlock();
    job();
  } catch (...) {
    if (lock.owns_lock()) {
      lock.unlock();
    }
    note_exception();
  }
  job = nullptr;  // its contents are destroyed without the lock
  lock.lock();
  if (--num_running_ == 0) {
    idle_.notify_all();
  }
}

}  // namespace frond
