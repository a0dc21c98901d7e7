// SPDX-License-Identifier: BSD-3-Clause
// Implements the seats of workers, and their threads.
#include "solver/distributed/batch/task_desk.hpp"

#include <utility>

#include "frond/error.hpp"
#include "matrices/steady_clock.hpp"
#include "solver/options/relayed_observer.hpp"

namespace frond {
namespace {

// Whether this thread's task is called off; null outside of tasks.
thread_local const std::atomic<bool>* t_is_called_off = nullptr;

/// Lives while the worker is within a task.
class WithinTask {
 public:
  explicit WithinTask(const std::atomic<bool>& is_called_off) { t_is_called_off = &is_called_off; }
  ~WithinTask() { t_is_called_off = nullptr; }
  WithinTask(const WithinTask&) = delete;
  WithinTask& operator=(const WithinTask&) = delete;
};

struct CallOffObserver final : RelayedObserver {
  CallOffObserver(std::shared_ptr<Observer> receiver, const std::atomic<bool>& flag)
      : RelayedObserver(std::move(receiver)), is_called_off(flag) {}
  bool stop_requested() override { return is_called_off || RelayedObserver::stop_requested(); }
  const std::atomic<bool>& is_called_off;
};

// Returns the seconds of the task.
double do_task(TaskDesk& desk, const std::function<std::string(Count)>& work, Rank worker, Count task) {
  const std::atomic<bool>& is_called_off = desk.is_called_off(worker);
  const double begin = steady_seconds();
  try {
    const WithinTask within(is_called_off);
    desk.finish(worker, task, work(task));
  } catch (...) {
    if (!is_called_off) {
      desk.fail(std::current_exception());
    }
  }
  return steady_seconds() - begin;
}

// Runs tasks until there are no more.
void do_tasks(TaskDesk& desk, const std::function<std::string(Count)>& work, Rank worker) {
  ChunkSeconds seconds;
  for (;;) {
    const double begin = steady_seconds();
    const std::vector<Count> tasks = desk.take(worker, seconds);
    seconds = {{}, steady_seconds() - begin};
    if (tasks.empty()) {
      return;
    }
    for (const Count task : tasks) {
      if (desk.begin(worker, task)) {
        seconds.tasks.push_back(do_task(desk, work, worker, task));
      }
    }
  }
}

}  // namespace

bool TaskDesk::begin(Rank worker, Count task) {
  const std::lock_guard lock(mutex_);
  if (is_abandoned_ || !is_wanted(task)) {
    return false;
  }
  Seat& seat = seats_[worker];
  seat.task = task;
  seat.is_called_off = false;
  return true;
}

void TaskDesk::abandon() {
  const std::lock_guard lock(mutex_);
  is_abandoned_ = true;
  call_off_all();
  wake_.notify_all();
}

void TaskDesk::leave() {
  const std::lock_guard lock(mutex_);
  ++num_left_;
  wake_.notify_all();
}

bool TaskDesk::have_all_left() {
  const std::lock_guard lock(mutex_);
  return num_left_ == num_workers();
}

void TaskDesk::call_off(Count task) {
  for (Seat& seat : seats_) {
    if (seat.task == task) {
      seat.is_called_off = true;
    }
  }
}

void TaskDesk::call_off_all() {
  for (Seat& seat : seats_) {
    seat.is_called_off = true;
  }
}

DeskWorkers::DeskWorkers(TaskDesk& desk, const std::function<std::string(Count)>& work, Rank first) {
  Rank worker = first;
  try {
    for (; worker < desk.num_workers(); ++worker) {
      threads_.emplace_back([&desk, &work, worker] { run(desk, work, worker); });
    }
  } catch (const std::exception&) {
    // The threads that have started do the work.
    if (worker == 0) {
      throw;
    }
    for (; worker < desk.num_workers(); ++worker) {
      desk.leave();
    }
  }
}

void DeskWorkers::run(TaskDesk& desk, const std::function<std::string(Count)>& work, Rank worker) {
  try {
    do_tasks(desk, work, worker);
  } catch (...) {  // from the desk: exceptions of work already go there
    desk.fail(std::current_exception());
  }
  desk.leave();
}

std::shared_ptr<Observer> with_call_off(std::shared_ptr<Observer> observer) {
  return t_is_called_off == nullptr ? observer : std::make_shared<CallOffObserver>(std::move(observer), *t_is_called_off);
}

}  // namespace frond
