// SPDX-License-Identifier: BSD-3-Clause
// Where workers get tasks, and leave what came of them: the same in one process and in each of several.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "frond/options.hpp"
#include "frond/types.hpp"

namespace frond {

/// What a worker needed for its last chunk.
struct ChunkSeconds {
  std::vector<double> tasks;  ///< each of those it has done
  double waiting = 0;         ///< from asking to getting
};

// Who is who; a TaskDealer knows which systems are with whom, and which are done:
//
//   first process                                              every other process
//     workers ──► PoolDesk: a TaskDealer under a lock            workers ──► RemoteDesk
//                     ▲                                                          │ questions and results,
//                 DeskServer ◄───────────────── messages ────────────────────────┘ carried by a thread that does not compute

/// Worker threads of this process call it, and one more thread may.
class TaskDesk {
 public:
  explicit TaskDesk(Rank num_workers) : seats_(static_cast<std::size_t>(num_workers)) {}
  virtual ~TaskDesk() = default;
  TaskDesk(const TaskDesk&) = delete;
  TaskDesk& operator=(const TaskDesk&) = delete;

  /// For a worker of this process that has nothing to do: sleeps until there is something. Empty: there will be nothing any more.
  [[nodiscard]] virtual std::vector<Count> take(Rank worker, const ChunkSeconds& last) = 0;
  virtual void finish(Rank worker, Count task, std::string result) = 0;
  /// No further task begins, anywhere.
  virtual void fail(const std::exception_ptr& exception) = 0;

  /// False: the task need not be done any more.
  [[nodiscard]] bool begin(Rank worker, Count task);
  /// Set while what the worker does is of no use any more.
  [[nodiscard]] const std::atomic<bool>& is_called_off(Rank worker) const { return seat(worker).is_called_off; }
  /// Nothing more is to be done here, and nothing that is being done is of use.
  void abandon();

  [[nodiscard]] Rank num_workers() const { return static_cast<Rank>(seats_.size()); }
  /// The worker is at its end.
  void leave();
  [[nodiscard]] bool have_all_left();

 protected:
  // With the lock, which guards all that a desk has.
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
  [[nodiscard]] const Seat& seat(Rank worker) const { return seats_[static_cast<std::size_t>(worker)]; }

  std::deque<Seat> seats_;  // [worker]
  Rank num_left_ = 0;
};

/// Threads that work until the desk has nothing more. What work throws goes to the desk, unless it was called off.
class DeskWorkers {
 public:
  /// Starts threads for the workers from `first` on, or as many as the system starts. All else outlives this object.
  DeskWorkers(TaskDesk& desk, const std::function<std::string(Count)>& work, Rank first);

  /// What the threads do, for the thread that calls it.
  static void run(TaskDesk& desk, const std::function<std::string(Count)>& work, Rank worker);

 private:
  std::vector<std::jthread> threads_;
};

/// `stop`, or the end of what this worker is doing, where others may call it off: to be called by the worker, within its task.
[[nodiscard]] StopRequest with_call_off(StopRequest stop);

}  // namespace frond
