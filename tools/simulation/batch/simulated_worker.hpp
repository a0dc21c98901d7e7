// SPDX-License-Identifier: BSD-3-Clause
// The workers that solve the systems of a simulated batch, one at each desk.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "solver/distributed/batch/task_desk.hpp"
#include "tools/simulation/core_slowness.hpp"
#include "tools/simulation/event_clock.hpp"

namespace frond {

/// A worker's access to a desk. Nothing waits: take() is called again when something has arrived.
struct DeskPort {
  TaskDesk& desk;
  std::function<void(const ChunkSeconds& last)> ask;        ///< requests tasks
  std::function<std::optional<std::vector<Count>>()> take;  ///< the requested tasks; nothing: not yet; empty: there are no more
  std::function<void()> carry;                              ///< sends what the worker has done
};

/// The work done by a worker.
struct SimulatedWork {
  double busy_seconds = 0;
  Count num_tasks = 0;   ///< finished, even if another worker was first
  Count num_chunks = 0;  ///< received
};

/// Worker 0 of its desk. A task takes its seconds times the core's slowness at each moment, and is abandoned when it is called off.
class SimulatedWorker {
 public:
  /// [task] = seconds. All arguments passed by reference must outlive the worker.
  SimulatedWorker(DeskPort port, const std::vector<double>& seconds, CoreSlowness slowness, EventClock& clock);

  void start();
  /// Called when messages have arrived or another worker of the desk has made progress.
  void look();
  /// Called when the worker is lost: it does nothing from now on.
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
  std::deque<Count> tasks_;  // of the chunk, not started
  Count task_ = -1;          // in progress; -1: none
  Count num_begun_ = 0;
  double begin_seconds_ = 0;
  double seconds_left_ = 0;  // of the task, on an undisturbed core
  bool is_waiting_ = false;
  double asked_at_ = 0;
  ChunkSeconds last_;
  bool is_lost_ = false;
  SimulatedWork work_;
};

}  // namespace frond
