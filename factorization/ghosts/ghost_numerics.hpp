// SPDX-License-Identifier: BSD-3-Clause
// Runs tasks without fronts, which only take virtual time on virtual workers.
#pragma once

#include <vector>

#include "factorization/scheduling/engine.hpp"

namespace frond {

/// Lets the engine run in virtual time. A leaf subtree keeps one worker busy; a large front shares its work among all workers that
/// tasks before it in the sequential order leave idle. Durations come from the same plain cost model that weighs tasks in
/// TaskGraph.
class GhostNumerics final : public Numerics {
 public:
  GhostNumerics(const TaskGraph& graph, int num_workers) : graph_(graph), num_workers_(num_workers) {}

  void start(TaskId task) override;

  /// Runs the engine to its end. Throws InternalError if it stalls. Returns the virtual seconds.
  double run(Engine& engine);

 private:
  struct Running {
    TaskId task;
    bool assembling;
    double seconds_left;  // of work for one worker
  };

  [[nodiscard]] std::vector<double> share_workers() const;
  void enter(const Running& running);
  void finish(const Running& done, Engine& engine);

  const TaskGraph& graph_;
  int num_workers_;
  std::vector<Running> running_;  // by increasing task
};

}  // namespace frond
