// SPDX-License-Identifier: BSD-3-Clause
// One simulated rank: its event loop and its jobs.
#pragma once

#include <map>
#include <optional>
#include <simgrid/s4u.hpp>

#include "factorization/ghosts/ghost_fronts.hpp"
#include "factorization/ranks/call_queue.hpp"
#include "factorization/ranks/leavers.hpp"
#include "factorization/ranks/posted_task_events.hpp"
#include "factorization/ranks/rank_engine.hpp"
#include "loadinfo/load_server.hpp"
#include "tools/simulation/event_clock.hpp"
#include "tools/simulation/look_times.hpp"
#include "tools/simulation/simulate.hpp"
#include "tools/simulation/simulated_core.hpp"
#include "tools/simulation/simulated_log.hpp"

namespace frond {

/// The data shared by all ranks; must outlive them.
struct SimulatedProblem {
  const SimulatedSystem& system;
  Mapping mapping;
  TaskGraph graph;
  LoadExchangeOptions exchange;
  RankEngineOptions engine;  ///< except the rank and its planned peak
  SimulationOptions options;
  std::vector<Count> planned_peak_bytes;  ///< [rank]
  FinishedNodes found = {};               ///< fronts found on disks; empty: none
};

/// The jobs that wait for the rank's core.
class JobQueue final : public GhostWorkers {
 public:
  struct Item {
    FrontPart part;
    GhostJob job;
  };

  void submit(Index priority, FrontPart part, GhostJob job) override { jobs_.emplace(priority, Item{part, std::move(job)}); }
  [[nodiscard]] double now() const override { return simgrid::s4u::Engine::get_clock(); }
  [[nodiscard]] bool empty() const { return jobs_.empty(); }
  [[nodiscard]] Item take() { return std::move(jobs_.extract(jobs_.begin()).mapped()); }

 private:
  std::multimap<Index, Item> jobs_;
};

/// Files of moving parts: their bytes take time on the disk. Actors make the calls.
class SimulatedMoveFiles final : public MoveFiles {
 public:
  explicit SimulatedMoveFiles(simgrid::s4u::Disk* disk) : disk_(disk) {}

  void write(const std::string& path, Count total_bytes, const Read& read) override;
  void read(const std::string& path, Count total_bytes, const Write& write) override;

 private:
  simgrid::s4u::Disk* disk_;
};

/// The environment of a rank.
struct SimulatedPorts {
  Channel& main;
  Channel& load;
  EventClock& clock;
  simgrid::s4u::Disk* disk;
  SimulatedLog* log;       ///< may be null
  CoreSlowness& slowness;  ///< of the rank's core
};

/// Runs as an actor: while a job takes its time only load messages are handled, and only with a load thread. They are found by
/// whichever polls first: that thread, or the loop while it is idle.
class SimulatedRank final : public PlanInForce, private Observer {
 public:
  SimulatedRank(const SimulatedProblem& problem, const SimulatedPorts& ports, Rank rank);

  void run();                         ///< the actor's code: returns when the run has ended everywhere
  void abandon();                     ///< its actor is ended: it does nothing from now on
  void on_main_message() { wake(); }  ///< one has arrived
  void on_load_message();
  void ask_to_leave(Rank rank);  ///< called on rank 0
  Terms adopt(const RecoveryPlan& plan) override;

  [[nodiscard]] const RankEngine& engine() const { return engine_; }
  [[nodiscard]] double flops() const { return fronts_.flops(); }
  [[nodiscard]] double computed_seconds() const { return computed_seconds_; }  ///< when it ended, except for its log
  [[nodiscard]] SimulatedRankCounts counts() const;
  [[nodiscard]] const std::vector<std::string>& refused_drains() const { return leavers_.refusals(); }

 private:
  struct OwnPlan {
    Mapping mapping;
    TaskGraph graph;
  };

  std::vector<Rank> ranks_to_leave(std::string& folder) override;
  bool handle_events();
  bool handle_load_messages();
  void look_after_leavers();
  void serve_as_thread();
  void pay_for_message_bytes();
  void run_job(const JobQueue::Item& item);
  void sleep(bool has_happened);
  void wake();

  [[nodiscard]] const Mapping& mapping() const { return own_ ? own_->mapping : problem_.mapping; }
  [[nodiscard]] const TaskGraph& graph() const { return own_ ? own_->graph : problem_.graph; }

  const SimulatedProblem& problem_;
  std::optional<OwnPlan> own_;  // used if ranks may leave
  CountedChannel main_;
  SimulatedLog* log_;
  JobQueue jobs_;
  GhostFronts fronts_;
  LoadServer loads_;
  SimulatedMoveFiles move_files_;
  RankEngine engine_;
  Leavers leavers_;
  CallQueue calls_;
  PostedTaskEvents posted_;
  EventClock& clock_;
  SimulatedCore core_;
  simgrid::s4u::ActorPtr actor_;
  LookTimes loop_looks_;
  LookTimes thread_looks_;
  bool is_asleep_ = false;
  bool was_woken_by_load_ = false;
  Count message_bytes_paid_ = 0;
  std::vector<Rank> leaving_;  // on rank 0
  Count parts_seen_ = 0;
  double computed_seconds_ = 0;
  SimulatedRankCounts counts_;  // those that are not counted elsewhere
};

}  // namespace frond
