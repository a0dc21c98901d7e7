// SPDX-License-Identifier: BSD-3-Clause
// Asks for tasks, computes them, and finishes them.
#include "tools/simulation/batch/simulated_worker.hpp"

#include <algorithm>
#include <simgrid/s4u.hpp>
#include <utility>

namespace frond {
namespace {

double now() { return simgrid::s4u::Engine::get_clock(); }

}  // namespace

SimulatedWorker::SimulatedWorker(DeskPort port, const std::vector<double>& seconds, CoreSlowness slowness, EventClock& clock)
    : port_(std::move(port)), seconds_(seconds), slowness_(std::move(slowness)), clock_(clock) {}

void SimulatedWorker::start() {
  ask();
  go_on();
}

void SimulatedWorker::look() {
  if (is_lost_) {
    return;
  }
  if (task_ >= 0 && port_.desk.is_called_off(0)) {
    end_task();
  }
  go_on();
}

void SimulatedWorker::ask() {
  is_waiting_ = true;
  asked_at_ = now();
  port_.ask(std::exchange(last_, {}));
}

// Continues until there is something to compute or to wait for.
void SimulatedWorker::go_on() {
  while (task_ < 0) {
    if (is_waiting_) {
      const std::optional<std::vector<Count>> tasks = port_.take();
      if (!tasks || tasks->empty()) {
        return;
      }
      is_waiting_ = false;
      last_.waiting = now() - asked_at_;
      tasks_.assign(tasks->begin(), tasks->end());
      ++work_.num_chunks;
    } else if (tasks_.empty()) {
      ask();
    } else {
      const Count task = tasks_.front();
      tasks_.pop_front();
      if (port_.desk.begin(0, task)) {
        task_ = task;
        ++num_begun_;
        begin_seconds_ = now();
        seconds_left_ = seconds_[task];
        compute();
      }
    }
  }
}

// Computes until the end of the task, or the next moment at which the core's slowness may change.
void SimulatedWorker::compute() {
  const double from = now();
  const double factor = slowness_.factor(from);
  const double end = from + seconds_left_ * factor;
  const double change = slowness_.next_change(from);
  clock_.call_at(std::min(end, change), [this, begun = num_begun_, from, factor, is_end = end <= change] {
    if (is_lost_ || begun != num_begun_ || task_ < 0) {
      return;  // it was called off
    }
    if (!is_end) {
      seconds_left_ = std::max(0.0, seconds_left_ - (now() - from) / factor);
      compute();
      return;
    }
    ++work_.num_tasks;
    port_.desk.finish(0, task_, {});
    end_task();
    port_.carry();
    go_on();
  });
}

void SimulatedWorker::end_task() {
  const double seconds = now() - begin_seconds_;
  last_.tasks.push_back(seconds);
  work_.busy_seconds += seconds;
  task_ = -1;
}

}  // namespace frond
