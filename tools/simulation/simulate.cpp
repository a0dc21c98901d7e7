// SPDX-License-Identifier: BSD-3-Clause
// The platform, its actors, and what came of them.
#include "tools/simulation/simulate.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <simgrid/s4u.hpp>
#include <utility>

#include "analysis/mapping/mapping_estimate.hpp"
#include "factorization/ranks/exchange_options.hpp"
#include "frond/error.hpp"
#include "tools/simulation/event_clock.hpp"
#include "tools/simulation/simulated_log.hpp"
#include "tools/simulation/simulated_network.hpp"
#include "tools/simulation/simulated_platform.hpp"
#include "tools/simulation/simulated_rank.hpp"

namespace frond {
namespace {

namespace sg = simgrid::s4u;

constexpr int kMostFlows = 16;  // of the main messages of a rank: of the order of the requests that MPI has under way at a time

/// The load messages' network, whichever it is.
class LoadNetwork {
 public:
  LoadNetwork(const std::vector<sg::Host*>& hosts, EventClock& clock, LoadTraffic traffic, std::function<void(Rank)> on_arrival) {
    if (traffic == LoadTraffic::flows) {
      flows_ = std::make_unique<FlowNetwork>(hosts, static_cast<int>(hosts.size()), std::move(on_arrival));
    } else {
      events_ = std::make_unique<EventNetwork>(hosts, clock, std::move(on_arrival));
    }
  }

  [[nodiscard]] Channel& channel(Rank rank) const { return flows_ ? flows_->channel(rank) : events_->channel(rank); }

 private:
  std::unique_ptr<FlowNetwork> flows_;
  std::unique_ptr<EventNetwork> events_;
};

// As a run with this schedule does.
Mapping map_system(const SimulatedSystem& system, Schedule schedule) {
  return map_tree(system.symbolic->tree(), system.method, mapping_options(system.mapping, schedule));
}

SimulatedProblem make_problem(const SimulatedSystem& system, const SimulationOptions& options) {
  const AssemblyTree& tree = system.symbolic->tree();
  RankEngineOptions engine_options;
  engine_options.selection.schedule = options.schedule;
  engine_options.selection.memory_limit = options.memory_limit;
  Mapping mapping = map_system(system, options.schedule);
  TaskGraph graph(tree, system.method, system.scalar_bytes, mapping);
  SimulatedProblem problem{system, std::move(mapping), std::move(graph), {}, engine_options, options, {}};
  problem.exchange = exchange_options(options.load_exchange, problem.graph, problem.mapping);
  for (const RankEstimate& rank : estimate_mapping(tree, problem.mapping, system.method, system.scalar_bytes).ranks) {
    problem.planned_peak_bytes.push_back(rank.peak_active_bytes);
  }
  return problem;
}

void check_end(const std::vector<std::unique_ptr<SimulatedRank>>& ranks) {
  Count missing_bytes = 0;
  bool have_ended = true;
  for (const auto& rank : ranks) {
    if (rank->engine().failure()) {
      throw_failure(*rank->engine().failure());
    }
    missing_bytes = std::max(missing_bytes, rank->engine().missing_bytes());
    have_ended = have_ended && rank->engine().ended();
  }
  if (!have_ended && missing_bytes > 0) {
    throw MemoryError("the memory limit does not suffice: " + std::to_string(missing_bytes) + " bytes more are needed on a rank",
                      missing_bytes, 0);
  }
  if (!have_ended) {
    throw InternalError("simulated ranks wait for one another");
  }
}

/// The disk, the logs of all ranks on it, and lists of what is in them.
class Logs {
 public:
  Logs(const SimulatedProblem& problem, const std::vector<sg::Host*>& hosts)
      : problem_(problem),
        census_(problem.system.symbolic->tree()),
        disk_(make_disk(hosts, problem.options.machine.disk_bytes_per_second)) {
    for (std::size_t rank = 0; rank < hosts.size() && problem.options.list_seconds > 0; ++rank) {
      logs_.push_back(std::make_unique<SimulatedLog>(disk_, hosts[rank], census_));
    }
  }

  [[nodiscard]] sg::Disk* disk() const { return disk_; }
  [[nodiscard]] SimulatedLog* log_of(Rank rank) const {
    return logs_.empty() ? nullptr : logs_[static_cast<std::size_t>(rank)].get();
  }

  /// Makes lists from now on, of what these ranks do.
  void make_lists(EventClock& clock, const std::vector<std::unique_ptr<SimulatedRank>>& ranks) {
    if (logs_.empty()) {
      return;
    }
    clock.call_at(sg::Engine::get_clock() + problem_.options.list_seconds, [this, &clock, &ranks] {
      SimulatedList list{sg::Engine::get_clock(), 0, census_.resumable_flops(problem_.system.method)};
      for (const auto& rank : ranks) {
        list.flops_done += rank->flops();
      }
      lists_.push_back(list);
      make_lists(clock, ranks);
    });
  }

  [[nodiscard]] const std::vector<SimulatedList>& lists() const { return lists_; }

 private:
  const SimulatedProblem& problem_;
  SimulatedCensus census_;
  sg::Disk* disk_;
  std::vector<std::unique_ptr<SimulatedLog>> logs_;  // [rank]; empty: there are none
  std::vector<SimulatedList> lists_;
};

}  // namespace

TaskGraph task_graph(const SimulatedSystem& system, Schedule schedule) {
  return {system.symbolic->tree(), system.method, system.scalar_bytes, map_system(system, schedule)};
}

SimulationResult simulate_factorization(const SimulatedSystem& system, const SimulationOptions& options) {
  const Rank num_ranks = system.mapping.num_ranks;
  const std::unique_ptr<sg::Engine> engine = make_simulation_engine();
  const std::vector<sg::Host*> hosts = make_hosts(*engine, options.machine, options.costs.largest_rate(), num_ranks);
  const SimulatedProblem problem = make_problem(system, options);
  std::vector<std::unique_ptr<SimulatedRank>> ranks;
  const auto at = [&ranks](Rank rank) -> SimulatedRank& { return *ranks[static_cast<std::size_t>(rank)]; };
  const FlowNetwork flows(hosts, kMostFlows, [&at](Rank rank) { at(rank).on_main_message(); });
  EventClock clock(hosts.front());
  const LoadNetwork loads(hosts, clock, options.load_traffic, [&at](Rank rank) { at(rank).on_load_message(); });
  Logs logs(problem, hosts);
  for (Rank rank = 0; rank < num_ranks; ++rank) {
    const SimulatedPorts ports{flows.channel(rank), loads.channel(rank), clock, logs.disk(), logs.log_of(rank)};
    ranks.push_back(std::make_unique<SimulatedRank>(problem, ports, rank));
  }
  logs.make_lists(clock, ranks);
  double seconds = 0;
  for (Rank rank = 0; rank < num_ranks; ++rank) {
    sg::Actor::create("rank", hosts[static_cast<std::size_t>(rank)], [&at, &seconds, rank] {
      at(rank).run();
      seconds = std::max(seconds, sg::Engine::get_clock());
    });
  }
  for (const auto& [when, rank] : options.drains) {
    clock.call_at(when, [&at, leaving = rank] { at(0).ask_to_leave(leaving); });
  }
  engine->run();
  check_end(ranks);
  SimulationResult result;
  result.seconds = seconds;
  result.lists = logs.lists();
  result.refused_drains = at(0).refused_drains();
  for (const auto& rank : ranks) {
    result.computed_seconds = std::max(result.computed_seconds, rank->computed_seconds());
    result.ranks.push_back(rank->counts());
  }
  return result;
}

}  // namespace frond
