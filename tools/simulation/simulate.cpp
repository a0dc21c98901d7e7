// SPDX-License-Identifier: BSD-3-Clause
// The platform, its actors, and what came of them.
#include "tools/simulation/simulate.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <simgrid/s4u.hpp>
#include <utility>

#include "analysis/mapping_estimate.hpp"
#include "matrices/error.hpp"
#include "tools/simulation/simulated_network.hpp"
#include "tools/simulation/simulated_rank.hpp"

namespace frond {
namespace {

namespace sg = simgrid::s4u;

// SimGrid speaks to standard error of its own accord. Transfers take their latency and their bytes over the rate: no corrections
// for TCP.
std::unique_ptr<sg::Engine> make_engine() {
  static bool has_made_one = false;
  if (std::exchange(has_made_one, true)) {
    throw InternalError("a second simulation in one process");
  }
  std::vector<std::string> words = {"frond", "--log=root.thres:critical", "--cfg=network/model:CM02",
                                    "--cfg=network/TCP-gamma:1e12", "--cfg=contexts/stack-size:128"};
#ifdef FROND_ACTORS_ARE_THREADS
  words.emplace_back("--cfg=contexts/factory:thread");
#endif
  std::vector<char*> arguments;
  std::transform(words.begin(), words.end(), std::back_inserter(arguments), [](std::string& word) { return word.data(); });
  auto num_arguments = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  return std::make_unique<sg::Engine>(&num_arguments, arguments.data());
}

// Work is given in seconds of a core.
std::vector<sg::Host*> make_hosts(const SimulatedNetwork& network, Rank num_ranks) {
  sg::NetZone* zone = sg::create_star_zone("cluster");
  std::vector<sg::Host*> hosts;
  for (Rank rank = 0; rank < num_ranks; ++rank) {
    const std::string name = "rank" + std::to_string(rank);
    sg::Host* host = zone->create_host(name, 1.0);
    sg::Link* link = zone->create_split_duplex_link(name + "-link", network.bytes_per_second);
    link->set_latency(network.latency_seconds / 2);  // a message crosses two of them
    zone->add_route(host->get_netpoint(), nullptr, nullptr, nullptr, {{link, sg::LinkInRoute::Direction::UP}}, true);
    hosts.push_back(host);
  }
  zone->seal();
  return hosts;
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

}  // namespace

SimulationResult simulate_factorization(const Symbolic& symbolic, Method method, Count scalar_bytes, Count real_bytes,
                                        const Mapping& mapping, const SimulationOptions& options) {
  const std::unique_ptr<sg::Engine> engine = make_engine();
  const std::vector<sg::Host*> hosts = make_hosts(options.network, mapping.num_ranks());
  RankEngineOptions engine_options;
  engine_options.selection.schedule = options.schedule;
  engine_options.selection.memory_limit = options.memory_limit;
  SimulatedProblem problem{symbolic.tree(), method,  scalar_bytes,
                           real_bytes,      mapping, TaskGraph(symbolic.tree(), method, scalar_bytes, mapping),
                           engine_options,  options, {}};
  problem.entries = &symbolic.entries();
  for (const RankEstimate& rank : estimate_mapping(symbolic.tree(), mapping, method, scalar_bytes).ranks) {
    problem.planned_peak_bytes.push_back(rank.peak_active_bytes);
  }
  SimulatedNetwork load_network = options.network;
  load_network.latency_seconds += options.use_load_thread ? options.load_period_seconds / 2 : 0;  // the thread looks now and then
  std::vector<std::unique_ptr<SimulatedRank>> ranks;
  const auto at = [&ranks](Rank rank) -> SimulatedRank& { return *ranks[static_cast<std::size_t>(rank)]; };
  const FlowNetwork flows(hosts, [&at](Rank rank) { at(rank).on_main_message(); });
  const EventNetwork events(mapping.num_ranks(), load_network, hosts.front(), [&at](Rank rank) { at(rank).on_load_message(); });
  for (Rank rank = 0; rank < mapping.num_ranks(); ++rank) {
    ranks.push_back(std::make_unique<SimulatedRank>(problem, flows.channel(rank), events.channel(rank), rank));
  }
  double seconds = 0;
  for (Rank rank = 0; rank < mapping.num_ranks(); ++rank) {
    sg::Actor::create("rank", hosts[static_cast<std::size_t>(rank)], [&at, &seconds, rank] {
      at(rank).run();
      seconds = std::max(seconds, sg::Engine::get_clock());
    });
  }
  engine->run();
  check_end(ranks);
  SimulationResult result;
  result.seconds = seconds;
  for (const auto& rank : ranks) {
    result.ranks.push_back(rank->counts());
  }
  return result;
}

}  // namespace frond
