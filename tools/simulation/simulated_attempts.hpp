// SPDX-License-Identifier: BSD-3-Clause
// Ranks that factorize together until one is lost, and those who are left after it.
#pragma once

#include <functional>
#include <memory>
#include <simgrid/s4u.hpp>
#include <vector>

#include "tools/simulation/event_clock.hpp"
#include "tools/simulation/simulate.hpp"
#include "tools/simulation/simulated_log.hpp"
#include "tools/simulation/simulated_network.hpp"
#include "tools/simulation/simulated_rank.hpp"

namespace frond {

/// Who factorizes together: [rank] = its number among those who began.
using Members = std::vector<Rank>;

/// The load messages' network, whichever it is.
class LoadNetwork {
 public:
  LoadNetwork(const std::vector<simgrid::s4u::Host*>& hosts, const Delays& delays, EventClock& clock, LoadTraffic traffic,
              std::function<void(Rank)> on_arrival);

  [[nodiscard]] Channel& channel(Rank rank) const { return flows_ ? flows_->channel(rank) : events_->channel(rank); }

 private:
  std::unique_ptr<FlowNetwork> flows_;
  std::unique_ptr<EventNetwork> events_;
};

/// What all attempts stand on.
struct Ground {
  Ground(const simgrid::s4u::Engine& engine, const SimulatedSystem& of_system, const SimulationOptions& with_options);

  const SimulatedSystem& system;
  const SimulationOptions& options;
  std::vector<simgrid::s4u::Host*> hosts;  ///< [rank] of those who began
  EventClock clock;
  simgrid::s4u::Disk* disk;
  SimulatedCensus census;
  double competing_seconds;            ///< SimulationResult::competing_seconds
  std::vector<CoreSlowness> slowness;  ///< [rank] of those who began
  std::vector<SimulatedList> lists = {};
  double seconds = 0;  ///< when the last rank has ended
};

/// Ranks that factorize from what was found, until they have ended or one of them is lost.
class Attempt {
 public:
  /// `flops_found` are those of what was found.
  Attempt(Ground& ground, Members members, const FinishedNodes& found, double flops_found);
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  void start();
  void abandon();  ///< everything is thrown away

  [[nodiscard]] const Members& members() const { return members_; }
  [[nodiscard]] bool has_ended() const { return num_ended_ == static_cast<Rank>(members_.size()); }
  [[nodiscard]] const std::vector<std::unique_ptr<SimulatedRank>>& ranks() const { return ranks_; }
  [[nodiscard]] SimulatedRank& at(Rank rank) const { return *ranks_[static_cast<std::size_t>(rank)]; }

 private:
  void make_lists();

  Ground& ground_;
  double flops_found_;
  Members members_;
  std::vector<simgrid::s4u::Host*> hosts_;
  SimulatedSystem system_;
  SimulatedProblem problem_;
  FlowNetwork flows_;
  LoadNetwork loads_;
  std::vector<std::unique_ptr<SimulatedLog>> logs_;  // [rank]; empty: there are none
  std::vector<std::unique_ptr<SimulatedRank>> ranks_;
  Rank num_ended_ = 0;
  bool is_abandoned_ = false;
};

/// One attempt after the other. What belongs to an earlier one may still be called at its time: they stay.
class Attempts {
 public:
  /// The first one begins, and losses are to come at their times.
  explicit Attempts(Ground& ground);

  [[nodiscard]] const Attempt& last() const { return *attempts_.back(); }
  [[nodiscard]] const std::vector<SimulatedRestart>& restarts() const { return restarts_; }
  [[nodiscard]] std::vector<SimulatedRankCounts> counts() const;  ///< [rank] of those who began

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
