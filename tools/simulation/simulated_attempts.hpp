// SPDX-License-Identifier: BSD-3-Clause
// Simulates ranks that factorize together until one is lost, and the remaining ranks after it.
#pragma once

#include <memory>
#include <simgrid/s4u.hpp>
#include <vector>

#include "tools/simulation/event_clock.hpp"
#include "tools/simulation/simulate.hpp"
#include "tools/simulation/simulated_log.hpp"
#include "tools/simulation/simulated_network.hpp"
#include "tools/simulation/simulated_rank.hpp"

namespace frond {

/// The ranks that factorize together: [rank] = its number among those at the start.
using Members = std::vector<Rank>;

/// The common basis of all attempts.
struct Ground {
  Ground(const simgrid::s4u::Engine& engine, const SimulatedSystem& of_system, const SimulationOptions& with_options);

  const SimulatedSystem& system;
  const SimulationOptions& options;
  std::vector<simgrid::s4u::Host*> hosts;  ///< [rank] of those at the start
  EventClock clock;
  simgrid::s4u::Disk* disk;
  SimulatedCensus census;
  double competing_seconds;            ///< SimulationResult::competing_seconds
  std::vector<CoreSlowness> slowness;  ///< [rank] of those at the start
  std::vector<SimulatedList> lists = {};
  double seconds = 0;  ///< when the last rank ended
};

/// Ranks that factorize from the fronts found until they have ended or one of them is lost.
class Attempt {
 public:
  /// `flops_found` are the flops of the fronts found.
  Attempt(Ground& ground, Members members, const FinishedNodes& found, double flops_found);
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  void start();
  void abandon();  ///< discards everything

  [[nodiscard]] const Members& members() const { return members_; }
  [[nodiscard]] bool has_ended() const { return num_ended_ == static_cast<Rank>(members_.size()); }
  [[nodiscard]] const std::vector<std::unique_ptr<SimulatedRank>>& ranks() const { return ranks_; }
  [[nodiscard]] SimulatedRank& at(Rank rank) const { return *ranks_[rank]; }

 private:
  void make_lists();

  Ground& ground_;
  double flops_found_;
  Members members_;
  std::vector<simgrid::s4u::Host*> hosts_;
  SimulatedSystem system_;
  SimulatedProblem problem_;
  FlowNetwork flows_;
  std::unique_ptr<SimulatedNetwork> loads_;
  std::vector<std::unique_ptr<SimulatedLog>> logs_;  // [rank]; empty: no logs
  std::vector<std::unique_ptr<SimulatedRank>> ranks_;
  Rank num_ended_ = 0;
  bool is_abandoned_ = false;
};

/// One attempt after the other. Parts of an earlier one may still be called at their times, so they stay.
class Attempts {
 public:
  /// Starts the first attempt and schedules the losses.
  explicit Attempts(Ground& ground);

  [[nodiscard]] const Attempt& last() const { return *attempts_.back(); }
  [[nodiscard]] const std::vector<SimulatedRestart>& restarts() const { return restarts_; }
  [[nodiscard]] std::vector<SimulatedRankCounts> counts() const;  ///< [rank] of those at the start

 private:
  void begin(const FinishedNodes& found, double flops_found);
  void lose(Rank rank);
  void go_on();

  Ground& ground_;
  Members living_;
  bool is_waiting_ = false;
  std::vector<std::unique_ptr<Attempt>> attempts_;
  std::vector<SimulatedRestart> restarts_;
};

}  // namespace frond
