// SPDX-License-Identifier: BSD-3-Clause
// The scheduler of one rank: a state machine that is told what happened and answers with the tasks to start. It never waits, never
// computes.
#pragma once

#include <set>
#include <vector>

#include "factorization/task_graph.hpp"

namespace frond {

/// Runs the tasks that the engine starts, on real fronts or on ghosts of them. start() returns at once; what happens later comes
/// back through Engine::on_assembled() and Engine::on_finished(), one at a time.
class Numerics {
 public:
  virtual ~Numerics() = default;
  virtual void start(TaskId task) = 0;
};

struct EngineOptions {
  Index max_active = 1;          ///< tasks under way at a time
  Count ahead_limit_bytes = -1;  ///< active memory that tasks started ahead of the sequential order may hold; -1: no limit
};

/// The highest each kind of active memory has been, not necessarily at the same time.
struct ActivePeaks {
  Count total_bytes = 0;
  Count output_bytes = 0;  ///< contribution blocks that left their task
  Index num_subtrees = 0;  ///< leaf subtrees under way at a time
};

/// Decides which ready task starts when. Tasks are preferred in postorder; others run ahead of it to keep all workers busy.
///
/// Memory: the task whose turn it is in the sequential order starts whatever memory is in use, since the sequential peak is set
/// aside for it; tasks ahead of their turn start only while all of those together stay within `ahead_limit_bytes`. So no limit that
/// admits the sequential traversal can stall.
class Engine {
 public:
  Engine(const TaskGraph& graph, Numerics& numerics, EngineOptions options);

  void start();                     ///< event: begin
  void on_assembled(TaskId id);     ///< event: a front has taken its children's contribution blocks, their memory is free
  void on_finished(TaskId id);      ///< event: the task is done, its output waits for the parent; its workspace is free
  void stop() { stopped_ = true; }  ///< event: something failed; nothing more is started

  [[nodiscard]] bool finished() const { return num_finished_ == graph_.num_tasks(); }
  [[nodiscard]] const ActivePeaks& peaks() const { return peaks_; }  ///< so far, as planned by the analysis

 private:
  enum class State : unsigned char { waiting, ready, running, finished };

  void start_tasks();
  [[nodiscard]] bool may_start(TaskId id) const;
  void begin(TaskId id);
  void advance_turn();
  void hold(Count workspace_bytes, Count output_bytes);

  const TaskGraph& graph_;
  Numerics& numerics_;
  EngineOptions options_;
  std::vector<State> state_;
  std::vector<Index> children_left_;      // children that are not finished
  std::vector<TaskId> children_offsets_;  // children of task t: children_[children_offsets_[t] .. children_offsets_[t+1])
  std::vector<TaskId> children_;
  std::vector<Count> held_bytes_;  // by a task that started: workspace and output
  std::set<TaskId> ready_;
  TaskId turn_ = 0;  // the first task that is not finished
  Index num_active_ = 0;
  Index num_finished_ = 0;
  Index num_subtrees_ = 0;
  Count workspace_bytes_ = 0;  // held now
  Count output_bytes_ = 0;
  Count ahead_bytes_ = 0;  // held by tasks behind turn_
  ActivePeaks peaks_;
  bool stopped_ = false;
};

}  // namespace frond
