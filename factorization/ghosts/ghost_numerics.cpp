// SPDX-License-Identifier: BSD-3-Clause
// Implements a fluid model of workers and tasks.
#include "factorization/ghosts/ghost_numerics.hpp"

#include <algorithm>
#include <limits>

#include "frond/error.hpp"

namespace frond {

void GhostNumerics::start(TaskId task) { enter({task, true, assembly_seconds(graph_.task(task).cost)}); }

void GhostNumerics::enter(const Running& running) {
  const auto place = std::upper_bound(running_.begin(), running_.end(), running.task,
                                      [](TaskId task, const Running& other) { return task < other.task; });
  running_.insert(place, running);
}

double GhostNumerics::run(Engine& engine) {
  double now = 0;
  engine.start();
  while (!running_.empty()) {
    const std::vector<double> workers = share_workers();
    double step = std::numeric_limits<double>::infinity();
    std::size_t first = 0;
    for (std::size_t i = 0; i < running_.size(); ++i) {
      if (workers[i] > 0 && running_[i].seconds_left / workers[i] < step) {
        step = running_[i].seconds_left / workers[i];
        first = i;
      }
    }
    now += step;
    for (std::size_t i = 0; i < running_.size(); ++i) {
      running_[i].seconds_left -= step * workers[i];
    }
    const Running done = running_[first];
    running_.erase(running_.begin() + first);
    finish(done, engine);
  }
  if (!engine.finished()) {
    throw InternalError("the schedule stopped before its end");
  }
  return now;
}

// Returns the number of workers of each running task, never a fraction: tasks earlier in the sequential order choose first.
std::vector<double> GhostNumerics::share_workers() const {
  std::vector<double> workers(running_.size(), 0);
  int left = num_workers_;
  for (std::size_t i = 0; i < running_.size(); ++i) {
    const int taken = is_split_into_jobs(graph_.task(running_[i].task)) ? left : std::min(left, 1);
    workers[i] = taken;
    left -= taken;
  }
  return workers;
}

// An assembled task continues with its elimination; an eliminated one is done.
void GhostNumerics::finish(const Running& done, Engine& engine) {
  if (!done.assembling) {
    engine.on_finished(done.task);
    return;
  }
  enter({done.task, false, elimination_seconds(graph_.task(done.task).cost)});
  engine.on_assembled(done.task);
}

}  // namespace frond
