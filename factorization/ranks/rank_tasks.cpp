// SPDX-License-Identifier: BSD-3-Clause
// Asks the load exchange before tasks start.
#include "factorization/ranks/rank_tasks.hpp"

#include <algorithm>

namespace frond {

void RankTasks::set_up(const PlanInForce::Terms& terms, std::vector<TaskId> coming) {
  EngineOptions tasks = options_.tasks;
  tasks.ahead_limit_bytes = terms.ahead_limit_bytes;
  tasks.coming = std::move(coming);
  engine_.emplace(context_.graph, context_.numerics, std::move(tasks));
  engine_->hold_back();
  planned_peak_bytes_ = terms.planned_peak_bytes;
  is_paused_ = false;
}

// Reports to the load exchange what has changed in the load of own tasks since the last report.
void RankTasks::report_load() {
  const Load load{engine_->pending_flops(), engine_->active().bytes()};
  if (const Load change = load - reported_load_; change != Load{}) {
    context_.loads.with_exchange([&](LoadExchange& exchange) {
      exchange.set_pace(pace());
      exchange.vary(change);
    });
    reported_load_ = load;
  }
}

// Asking whether the exchange is blocked and starting tasks are one step. Where memory is balanced, a rank takes no task ahead of
// its turn that would make it hold more than was planned and more than any other rank holds.
void RankTasks::start() {
  context_.loads.with_exchange([this](const LoadExchange& exchange) {
    if (options_.selection.schedule == Schedule::memory) {
      Count most_bytes = planned_peak_bytes_;
      for (Rank rank = 0; rank < exchange.num_ranks(); ++rank) {
        most_bytes = std::max(most_bytes, rank == context_.me() ? 0 : exchange.view()[rank].bytes);
      }
      engine_->set_soft_limit(most_bytes);
    }
    is_blocked_ = exchange.is_blocked();
    if (!is_blocked_) {
      engine_->release();
      engine_->hold_back();
    }
  });
}

void RankTasks::pause(bool is_on) {
  is_paused_ = is_on;
  engine_->pause(is_on);
}

std::vector<NodeId> RankTasks::taken_nodes() const {
  std::vector<NodeId> nodes;
  for (const TaskId id : engine_->guests()) {
    nodes.push_back(context_.graph.task(context_.graph.task(id).unit.first).node_begin);
    nodes.push_back(context_.graph.task(id).node_end);
  }
  return nodes;
}

}  // namespace frond
