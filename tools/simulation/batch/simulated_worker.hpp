// SPDX-License-Identifier: BSD-3-Clause
// Who solves systems of a simulated batch: one at each desk.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "solver/distributed/batch/task_desk.hpp"
#include "tools/simulation/core_slowness.hpp"
#include "tools/simulation/event_clock.hpp"

namespace frond {

/// What a worker does at a desk. Nothing waits: take() is asked again when something has come.
struct DeskPort {
  TaskDesk& desk;
  std::function<void(const ChunkSeconds& last)> ask;        ///< for tasks
  std::function<std::optional<std::vector<Count>>()> take;  ///< what was asked for; nothing: not yet; empty: there is no more
  std::function<void()> carry;                              ///< what it has done is to be sent
};

/// What it has done.
struct SimulatedWork {
  double busy_seconds = 0;
  Count num_tasks = 0;   ///< finished, be it after somebody else
  Count num_chunks = 0;  ///< that it was given
};

/// Worker 0 of its desk. A task takes its seconds times the core's slowness at each moment, and is left when it is called off.
class SimulatedWorker {
 public:
  /// [task] = seconds. All outlives the worker.
  SimulatedWorker(DeskPort port, const std::vector<double>& seconds, CoreSlowness slowness, EventClock& clock);

  void start();
  /// Messages have come, or another worker of the desk has done something.
  void look();
  /// Nothing happens any more.
  void lose() { is_lost_ = true; }

  [[nodiscard]] bool is_lost() const { return is_lost_; }
  [[nodiscard]] const SimulatedWork& work() const { return work_; }

 private:
  void go_on();
  void ask();
  void compute();
  void end_task();

  DeskPort port_;
  const std::vector<double>& seconds_;
  CoreSlowness slowness_;
  EventClock& clock_;
  std::deque<Count> tasks_;  // of the chunk, not begun
  Count task_ = -1;          // that is being done; -1: none
  Count num_begun_ = 0;
  double begin_seconds_ = 0;
  double seconds_left_ = 0;  // of the task, on a core that is not slow
  bool is_waiting_ = false;
  double asked_at_ = 0;
  ChunkSeconds last_;
  bool is_lost_ = false;
  SimulatedWork work_;
};

}  // namespace frond
