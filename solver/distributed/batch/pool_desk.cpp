// SPDX-License-Identifier: BSD-3-Clause
// Implements a pool protected by a lock.
#include "solver/distributed/batch/pool_desk.hpp"

#include <algorithm>
#include <numeric>

#include "frond/error.hpp"

namespace frond {
namespace {

void note(TaskTimes& times, const ChunkSeconds& chunk) {
  if (chunk.tasks.empty()) {
    return;
  }
  std::for_each(chunk.tasks.begin(), chunk.tasks.end(), [&times](double of_one) { times.note_task(of_one); });
  const double sum = std::accumulate(chunk.tasks.begin(), chunk.tasks.end(), 0.0);
  times.note(static_cast<Count>(chunk.tasks.size()), sum, sum + chunk.waiting);
}

}  // namespace

PoolDesk::PoolDesk(PoolDeskOptions options, Done done)
    : TaskDesk(options.workers_per_place),
      options_(std::move(options)),
      done_(std::move(done)),
      pool_(
          {options_.chunks, options_.gives_copies, options_.workers_per_place},
          {.num_tasks = static_cast<Count>(options_.tasks.size()), .num_ranks = options_.num_places * options_.workers_per_place}) {
}

// Called by the first worker that finds the stop requested.
void PoolDesk::look_for_stop() {
  if (!failure_ && pool_.num_unfinished() > 0 && options_.observer != nullptr && options_.observer->batch_end_requested()) {
    failure_ = std::make_exception_ptr(StoppedError("stopped between two systems of a batch"));
    wake_.notify_all();
  }
}

std::vector<Count> PoolDesk::take(Rank rank, const ChunkSeconds& last) {
  const std::lock_guard lock(mutex_);
  note(pool_.times(rank), last);
  look_for_stop();
  if (failure_ || is_abandoned_) {
    return {};
  }
  std::vector<Count> tasks = pool_.take(rank);
  for (Count& task : tasks) {
    task = options_.tasks[task];
  }
  return tasks;
}

void PoolDesk::finish(Rank rank, Count task, std::string result) {
  const std::lock_guard lock(mutex_);
  const Count index = index_of(task);
  if (!pool_.finish(index)) {
    return;
  }
  call_off(task);
  const Rank place = pool_.place_of(rank);
  for (const Rank other : pool_.places(index)) {
    if (other != place && other != 0) {
      news_.emplace_back(other, task);
    }
  }
  wake_.notify_all();
  try {
    done_(task, std::move(result));
    look_for_stop();
  } catch (...) {
    failure_ = failure_ ? failure_ : std::current_exception();
  }
}

void PoolDesk::fail(const std::exception_ptr& exception) {
  const std::lock_guard lock(mutex_);
  failure_ = failure_ ? failure_ : exception;
  wake_.notify_all();
}

bool PoolDesk::is_over() {
  const std::lock_guard lock(mutex_);
  look_for_stop();
  return failure_ || pool_.num_unfinished() == 0;
}

std::exception_ptr PoolDesk::failure() {
  const std::lock_guard lock(mutex_);
  return failure_;
}

std::vector<std::pair<Rank, Count>> PoolDesk::take_news() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, {});
}

Count PoolDesk::num_copies() {
  const std::lock_guard lock(mutex_);
  return pool_.num_copies();
}

void PoolDesk::sleep(std::chrono::nanoseconds longest) {
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, longest);
}

Count PoolDesk::index_of(Count task) const {
  const auto place = std::lower_bound(options_.tasks.begin(), options_.tasks.end(), task);
  if (place == options_.tasks.end() || *place != task) {
    throw InternalError("a task of a batch that nobody was given; do all processes run the same Frond?");
  }
  return place - options_.tasks.begin();
}

}  // namespace frond
