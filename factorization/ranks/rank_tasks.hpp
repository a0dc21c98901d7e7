// SPDX-License-Identifier: BSD-3-Clause
// Schedules a rank's own tasks, as its load exchange allows, and reports their load and pace.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "factorization/ranks/pace_meter.hpp"
#include "factorization/ranks/rank_context.hpp"
#include "factorization/ranks/rank_mail.hpp"

namespace frond {

/// The Engine of the plan in force, which starts tasks in start() only.
class RankTasks {
 public:
  RankTasks(const RankContext& context, const RankEngineOptions& options) : context_(context), options_(options) {}

  /// Makes an engine for the plan in force; `coming` are held tasks whose fronts have not arrived yet.
  void set_up(const PlanInForce::Terms& terms, std::vector<TaskId> coming);

  [[nodiscard]] Engine& operator*() { return *engine_; }
  [[nodiscard]] Engine* operator->() { return &*engine_; }
  [[nodiscard]] const Engine& operator*() const { return *engine_; }
  [[nodiscard]] const Engine* operator->() const { return &*engine_; }

  void report_load();
  void start();
  [[nodiscard]] bool is_blocked() const { return is_blocked_; }  ///< by the load exchange, when it was last asked

  /// From the announcement of a pause until there is a new plan, or all ranks continue unchanged.
  void pause(bool is_on);
  [[nodiscard]] bool is_paused() const { return is_paused_; }

  void on_timed(TaskId id, double seconds) { pace_.note(context_.graph.task(id).cost, seconds); }
  [[nodiscard]] Pace pace() const { return options_.follows_paces ? pace_.last() : Pace{}; }

  /// Returns begins and ends of the units taken from other ranks.
  [[nodiscard]] std::vector<NodeId> taken_nodes() const;

 private:
  const RankContext& context_;
  const RankEngineOptions& options_;
  std::optional<Engine> engine_;
  PaceMeter pace_;
  Load reported_load_;  // load of own tasks, as reported to the load exchange
  Count planned_peak_bytes_ = 0;
  bool is_blocked_ = false;
  bool is_paused_ = false;
};

}  // namespace frond
