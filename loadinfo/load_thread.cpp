// SPDX-License-Identifier: BSD-3-Clause
// Runs the load thread: poll, sleep, poll again.
#include "loadinfo/load_thread.hpp"

#include <pthread.h>

#include <algorithm>
#include <ctime>
#include <utility>

namespace frond {
namespace {

double seconds_on(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

LoadThread::LoadThread(const LoadServiceOptions& options, Channel& channel, const LoadExchangeOptions& exchange,
                       std::function<void()> on_served)
    : server_(channel, exchange),
      period_(options.shortest_period, std::max(options.shortest_period, options.longest_period)),
      on_served_(std::move(on_served)),
      thread_([this] { run(); }) {}

LoadThread::~LoadThread() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

int LoadThread::serve() {
  int num_served = 0;
  {
    const std::lock_guard lock(mutex_);
    if (failure_) {
      std::rethrow_exception(failure_);
    }
    try {
      num_served = server_.serve();
    } catch (...) {
      failure_ = std::current_exception();
      is_stopping_ = true;
      wake_.notify_one();
      throw;
    }
    has_news_ = has_news_ || num_served > 0;
  }
  if (num_served > 0) {
    wake_.notify_one();  // more may arrive while the engine computes
  }
  return num_served;
}

LoadServiceCounts LoadThread::counts() const {
  const std::lock_guard lock(mutex_);
  LoadServiceCounts counts = server_.counts();
  counts.num_wake_ups = num_wake_ups_;
  counts.cpu_seconds = cpu_clock_ ? seconds_on(*cpu_clock_) : final_cpu_seconds_;
  return counts;
}

LoadExchange& LoadThread::begin_turn() {
  std::unique_lock lock(mutex_);
  if (failure_) {
    std::rethrow_exception(failure_);
  }
  sent_before_turn_ = server_.num_sent();
  lock.release();  // end_turn() unlocks
  return server_.begin_turn();
}

void LoadThread::end_turn() noexcept {
  server_.end_turn();
  const bool has_sent = server_.num_sent() != sent_before_turn_;
  has_news_ = has_news_ || has_sent;
  mutex_.unlock();
  if (has_sent) {
    wake_.notify_one();
  }
}

void LoadThread::run() noexcept {
  std::unique_lock lock(mutex_);
  if (clockid_t clock{}; pthread_getcpuclockid(pthread_self(), &clock) == 0) {
    cpu_clock_ = clock;
  }
  try {
    serve_until_stopped(lock);
  } catch (...) {
    failure_ = std::current_exception();
  }
  final_cpu_seconds_ = seconds_on(CLOCK_THREAD_CPUTIME_ID);
  cpu_clock_.reset();
}

void LoadThread::serve_until_stopped(std::unique_lock<std::mutex>& lock) {
  while (!is_stopping_) {
    ++num_wake_ups_;
    const bool has_news = std::exchange(has_news_, false);
    const int num_served = server_.serve();
    if (num_served > 0 && on_served_) {
      on_served_();
    }
    if (num_served == LoadServer::kMostAtOnce) {  // there may be more, but the engine gets its turn first
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
    } else {
      wake_.wait_for(lock, period_.after(has_news || num_served > 0), [this] { return has_news_ || is_stopping_; });
    }
  }
}

}  // namespace frond
