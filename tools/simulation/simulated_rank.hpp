// SPDX-License-Identifier: BSD-3-Clause
// One simulated rank: its event loop, and the core on which its jobs take their time.
#pragma once

#include <map>
#include <optional>
#include <simgrid/s4u.hpp>

#include "factorization/ghosts/ghost_fronts.hpp"
#include "factorization/ranks/call_queue.hpp"
#include "factorization/ranks/posted_task_events.hpp"
#include "factorization/ranks/rank_engine.hpp"
#include "loadinfo/load_server.hpp"
#include "tools/simulation/event_clock.hpp"
#include "tools/simulation/look_times.hpp"
#include "tools/simulation/simulate.hpp"

namespace frond {

/// What all ranks have in common; outlives them.
struct SimulatedProblem {
  const SimulatedSystem& system;
  Mapping mapping;
  TaskGraph graph;
  LoadExchangeOptions exchange;
  RankEngineOptions engine;  ///< but for the rank and its planned peak
  SimulationOptions options;
  std::vector<Count> planned_peak_bytes;  ///< [rank]
};

/// Jobs that wait for the rank's core.
class JobQueue final : public GhostWorkers {
 public:
  struct Item {
    FrontPart part;
    GhostJob job;
  };

  void submit(Index priority, FrontPart part, GhostJob job) override { jobs_.emplace(priority, Item{part, std::move(job)}); }
  [[nodiscard]] bool empty() const { return jobs_.empty(); }
  [[nodiscard]] Item take() { return std::move(jobs_.extract(jobs_.begin()).mapped()); }

 private:
  std::multimap<Index, Item> jobs_;
};

/// Runs as an actor: while a job takes its time nothing else is handled but load messages, and those only with a load thread. They
/// are found by whoever looks first: that thread, or the loop while it has nothing to do.
class SimulatedRank {
 public:
  SimulatedRank(const SimulatedProblem& problem, Channel& main, Channel& load, EventClock& clock, Rank rank);

  void run();              ///< the actor's code: returns when the run has ended everywhere
  void on_main_message();  ///< one has come
  void on_load_message();

  [[nodiscard]] const RankEngine& engine() const { return engine_; }
  [[nodiscard]] SimulatedRankCounts counts() const;

 private:
  bool handle_events();
  bool handle_load_messages();
  void serve_as_thread();
  void pay_for_message_bytes();
  void run_job(const JobQueue::Item& item);
  void sleep();
  void compute(double seconds) const;
  void wake();

  const SimulatedProblem& problem_;
  CountedChannel main_;
  JobQueue jobs_;
  GhostFronts fronts_;
  LoadServer loads_;
  RankEngine engine_;
  CallQueue calls_;
  PostedTaskEvents posted_;
  simgrid::s4u::ActorPtr actor_;
  EventClock& clock_;
  LookTimes loop_looks_;
  LookTimes thread_looks_;
  double loop_look_ = 0;       // the last one for which the clock has been asked
  double thread_look_ = 0;     // as well
  bool has_happened_ = false;  // anything, since the loop slept
  bool is_asleep_ = false;
  bool was_woken_by_load_ = false;
  Count message_bytes_paid_ = 0;
  double busy_seconds_ = 0;
  std::vector<WorkSpan> work_;
};

}  // namespace frond
