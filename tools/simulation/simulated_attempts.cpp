// SPDX-License-Identifier: BSD-3-Clause
// Runs attempts: their actors, their ends, and what is found after them.
#include "tools/simulation/simulated_attempts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "analysis/mapping/mapping_estimate.hpp"
#include "analysis/tree/front_cost.hpp"
#include "factorization/ranks/exchange_options.hpp"
#include "tools/simulation/simulated_platform.hpp"

namespace frond {
namespace {

namespace sg = simgrid::s4u;

constexpr int kMostFlows = 16;  // of a rank's main messages: about as many requests as MPI has under way at a time

// Maps as a run with this schedule does.
Mapping map_system(const SimulatedSystem& system, Schedule schedule) {
  return map_tree(system.symbolic->tree(), system.method, mapping_options(system.mapping, schedule));
}

SimulatedProblem make_problem(const SimulatedSystem& system, const SimulationOptions& options, const FinishedNodes& found) {
  const AssemblyTree& tree = system.symbolic->tree();
  RankEngineOptions engine_options;
  engine_options.selection.schedule = options.schedule;
  engine_options.selection.memory_limit = options.memory_limit;
  engine_options.sharing = options.sharing;
  engine_options.follows_paces = options.sharing != WorkSharing::fixed;
  engine_options.chunks = options.chunks;
  engine_options.clock = simgrid::s4u::Engine::get_clock;
  Mapping mapping = map_system(system, options.schedule);
  TaskGraph graph(tree, system.method, system.scalar_bytes, mapping, KeptFactors::all, found,
                  {.tasks_move = options.sharing != WorkSharing::fixed});
  SimulatedProblem problem{system, std::move(mapping), std::move(graph), {}, engine_options, options, {}, found};
  problem.exchange = exchange_options(options.load_exchange, problem.graph, problem.mapping);
  for (const RankEstimate& rank : estimate_mapping(tree, problem.mapping, system.method, system.scalar_bytes).ranks) {
    problem.planned_peak_bytes.push_back(rank.peak_active_bytes);
  }
  return problem;
}

// Returns the same system for the remaining ranks.
SimulatedSystem system_of(const SimulatedSystem& system, const Members& members) {
  SimulatedSystem own = system;
  own.mapping.num_ranks = static_cast<Rank>(members.size());
  std::erase_if(own.mapping.grid_ranks, [&members](Rank rank) { return rank >= static_cast<Rank>(members.size()); });
  return own;
}

// Returns the mean length of intervals with competing load, from the computing time of the busiest rank, its flops at the rate of
// large fronts.
double mean_competing_seconds(const SimulatedSystem& system, const SimulationOptions& options) {
  if (!options.machine.competing_load) {
    return 0;
  }
  const Mapping mapping = map_system(system, options.schedule);
  const MappingEstimate estimate = estimate_mapping(system.symbolic->tree(), mapping, system.method, system.scalar_bytes);
  return kCompetingPart * estimate.flops.largest / options.costs.largest_rate;
}

std::vector<sg::Host*> hosts_of(const std::vector<sg::Host*>& hosts, const Members& members) {
  std::vector<sg::Host*> own;
  own.reserve(members.size());
  for (const Rank member : members) {
    own.push_back(hosts[member]);
  }
  return own;
}

}  // namespace

TaskGraph task_graph(const SimulatedSystem& system, Schedule schedule) {
  return {system.symbolic->tree(), system.method, system.scalar_bytes, map_system(system, schedule)};
}

Ground::Ground(const sg::Engine& engine, const SimulatedSystem& of_system, const SimulationOptions& with_options)
    : system(of_system),
      options(with_options),
      hosts(make_hosts(engine, options.machine, options.costs.largest_rate, system.mapping.num_ranks)),
      clock(hosts.front()),
      disk(make_disk(hosts, options.machine.disk_bytes_per_second)),
      census(system.symbolic->tree()),
      competing_seconds(mean_competing_seconds(system, options)),
      slowness(slowness_of_ranks(options.machine.slow_spells, options.machine.competing_load, system.mapping.num_ranks,
                                 competing_seconds)) {}

Attempt::Attempt(Ground& ground, Members members, const FinishedNodes& found, double flops_found)
    : ground_(ground),
      flops_found_(flops_found),
      members_(std::move(members)),
      hosts_(hosts_of(ground.hosts, members_)),
      system_(system_of(ground.system, members_)),
      problem_(make_problem(system_, ground.options, found)),
      flows_(hosts_, kMostFlows, delays_of(ground.options.machine.delays, members_), ground.clock,
             [this](Rank rank) { at(rank).on_main_message(); }) {
  const Delays delays = delays_of(ground.options.machine.delays, members_);
  const auto on_load_message = [this](Rank rank) { at(rank).on_load_message(); };
  if (ground.options.load_traffic == LoadTraffic::flows) {
    loads_ = std::make_unique<FlowNetwork>(hosts_, static_cast<int>(hosts_.size()), delays, ground.clock, on_load_message);
  } else {
    loads_ = std::make_unique<EventNetwork>(hosts_, delays, ground.clock, on_load_message);
  }
  for (Rank rank = 0; rank < static_cast<Rank>(members_.size()); ++rank) {
    if (ground.options.list_seconds > 0) {
      logs_.push_back(std::make_unique<SimulatedLog>(ground.disk, hosts_[rank], ground.census));
    }
    const SimulatedPorts ports{flows_.channel(rank),
                               loads_->channel(rank),
                               ground.clock,
                               ground.disk,
                               logs_.empty() ? nullptr : logs_.back().get(),
                               ground.slowness[members_[static_cast<std::size_t>(rank)]]};
    ranks_.push_back(std::make_unique<SimulatedRank>(problem_, ports, rank));
  }
}

void Attempt::start() {
  if (!logs_.empty()) {
    make_lists();
  }
  for (Rank rank = 0; rank < static_cast<Rank>(members_.size()); ++rank) {
    sg::Actor::create("rank", hosts_[rank], [this, rank] {
      at(rank).run();
      ++num_ended_;
      ground_.seconds = std::max(ground_.seconds, sg::Engine::get_clock());
    });
  }
  for (const auto& [when, rank] : ground_.options.drains) {
    ground_.clock.call_at(when, [this, leaving = rank] { at(0).ask_to_leave(leaving); });
  }
}

void Attempt::abandon() {
  is_abandoned_ = true;
  for (const auto& rank : ranks_) {
    rank->abandon();
  }
  for (const sg::ActorPtr& actor : sg::Engine::get_instance()->get_all_actors()) {
    if (actor->get_name() != kClockName) {
      actor->kill();
    }
  }
}

void Attempt::make_lists() {
  ground_.clock.call_at(sg::Engine::get_clock() + ground_.options.list_seconds, [this] {
    if (is_abandoned_) {
      return;
    }
    SimulatedList list{sg::Engine::get_clock(), flops_found_, ground_.census.resumable_flops(ground_.system.method)};
    for (const auto& rank : ranks_) {
      list.flops_done += rank->flops();
    }
    ground_.lists.push_back(list);
    make_lists();
  });
}

Attempts::Attempts(Ground& ground) : ground_(ground) {
  Members all(ground.hosts.size());
  std::iota(all.begin(), all.end(), 0);
  living_ = all;
  begin({}, 0);
  for (const auto& [when, rank] : ground.options.losses) {
    ground.clock.call_at(when, [this, lost = rank] { lose(lost); });
  }
}

std::vector<SimulatedRankCounts> Attempts::counts() const {
  std::vector<SimulatedRankCounts> counts(ground_.hosts.size());
  for (const auto& attempt : attempts_) {
    for (std::size_t rank = 0; rank < attempt->members().size(); ++rank) {
      counts[attempt->members()[rank]] += attempt->ranks()[rank]->counts();
    }
  }
  for (const SimulatedRestart& restart : restarts_) {
    for (const Rank lost : restart.lost) {
      counts[lost].is_lost = true;
    }
  }
  return counts;
}

void Attempts::begin(const FinishedNodes& found, double flops_found) {
  attempts_.push_back(std::make_unique<Attempt>(ground_, living_, found, flops_found));
  attempts_.back()->start();
}

void Attempts::lose(Rank rank) {
  if (last().has_ended() && !is_waiting_) {
    return;  // no longer needed
  }
  std::erase(living_, rank);
  if (!is_waiting_) {
    is_waiting_ = true;
    restarts_.emplace_back().lost_seconds = sg::Engine::get_clock();
    attempts_.back()->abandon();
    // The clock alone would not keep the simulation running.
    sg::Actor::create("detector", ground_.hosts.front(), [this] {
      sg::this_actor::sleep_for(ground_.options.detection_seconds);
      go_on();
    });
  }
  restarts_.back().lost.push_back(rank);
}

void Attempts::go_on() {
  is_waiting_ = false;
  const AssemblyTree& tree = ground_.system.symbolic->tree();
  const std::vector<char> resumable = ground_.census.resumable();
  ground_.census.begin_from(resumable);
  FinishedNodes found;
  SimulatedRestart& restart = restarts_.back();
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const bool is_found = resumable[node] != 0;
    found.push_back(is_found ? Finished::stored : Finished::no);
    restart.num_fronts_found += is_found ? 1 : 0;
    restart.flops_found += is_found ? front_cost(tree, node, ground_.system.method).flops : 0;
  }
  restart.begin_seconds = sg::Engine::get_clock();
  restart.num_ranks = static_cast<Rank>(living_.size());
  begin(found, restart.flops_found);
}

}  // namespace frond
