// SPDX-License-Identifier: BSD-3-Clause
// Gives tasks to workers, and takes their results: the same interface in one process and in each of several.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "frond/observer.hpp"
#include "frond/types.hpp"

namespace frond {

/// The times of a worker's last chunk.
struct ChunkSeconds {
  std::vector<double> tasks;  ///< of each finished task
  double waiting = 0;         ///< from request to grant
};

/// Called by the worker threads of this process, and by one more thread.
class TaskDesk {
 public:
  explicit TaskDesk(Rank num_workers) : seats_(static_cast<std::size_t>(num_workers)) {}
  virtual ~TaskDesk() = default;
  TaskDesk(const TaskDesk&) = delete;
  TaskDesk& operator=(const TaskDesk&) = delete;

  /// For an idle worker of this process: sleeps until there are tasks. Empty: there will be no more.
  [[nodiscard]] virtual std::vector<Count> take(Rank worker, const ChunkSeconds& last) = 0;
  virtual void finish(Rank worker, Count task, std::string result) = 0;
  /// Prevents further tasks from beginning, anywhere.
  virtual void fail(const std::exception_ptr& exception) = 0;

  /// Returns false if the task need not be done any more.
  [[nodiscard]] bool begin(Rank worker, Count task);
  /// Set while the worker's current task is of no use any more.
  [[nodiscard]] const std::atomic<bool>& is_called_off(Rank worker) const { return seat(worker).is_called_off; }
  /// Ends all work here; current tasks are of no use any more.
  void abandon();

  [[nodiscard]] Rank num_workers() const { return static_cast<Rank>(seats_.size()); }
  /// The worker has ended.
  void leave();
  [[nodiscard]] bool have_all_left();

 protected:
  // Called with the lock held, which guards all data of a desk.
  [[nodiscard]] virtual bool is_wanted(Count task) const = 0;
  void call_off(Count task);
  void call_off_all();
  [[nodiscard]] Rank num_left() const { return num_left_; }

  std::mutex mutex_;
  std::condition_variable wake_;  // something has changed
  bool is_abandoned_ = false;

 private:
  struct Seat {
    Count task = -1;
    std::atomic<bool> is_called_off{false};
  };
  [[nodiscard]] const Seat& seat(Rank worker) const { return seats_[worker]; }

  std::deque<Seat> seats_;  // [worker]
  Rank num_left_ = 0;
};

/// Threads that work until the desk has no more tasks. Exceptions of work go to the desk, unless the task was called off.
class DeskWorkers {
 public:
  /// Starts threads for the workers from `first` on, or as many as the system allows. The arguments must outlive this object.
  DeskWorkers(TaskDesk& desk, const std::function<std::string(Count)>& work, Rank first);

  /// The body of the threads, for a calling thread that works too.
  static void run(TaskDesk& desk, const std::function<std::string(Count)>& work, Rank worker);

 private:
  std::vector<std::jthread> threads_;
};

/// Requests a stop when `observer` does, or when others call off this worker's task: to be called by the worker, within its task.
[[nodiscard]] std::shared_ptr<Observer> with_call_off(std::shared_ptr<Observer> observer);

}  // namespace frond
