// SPDX-License-Identifier: BSD-3-Clause
// Simulates desks and the network between them, and collects the results.
#include "tools/simulation/batch/simulated_batch.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>
#include <simgrid/s4u.hpp>

#include "loadinfo/messages/counted_channel.hpp"
#include "loadinfo/messages/outbox.hpp"
#include "matrices/splitmix.hpp"
#include "solver/distributed/batch/desk_server.hpp"
#include "solver/distributed/batch/remote_desk.hpp"
#include "tools/simulation/simulated_network.hpp"
#include "tools/simulation/simulated_platform.hpp"

namespace frond {
namespace {

namespace sg = simgrid::s4u;

constexpr double kLargestRate = 1;  // cores count seconds, not flops

double mean_share(const SimulatedBatch& batch) {
  return std::accumulate(batch.seconds.begin(), batch.seconds.end(), 0.0) / batch.num_ranks;
}

/// One rank: its incoming messages and its worker.
class SimulatedPlace {
 public:
  virtual ~SimulatedPlace() = default;
  void start() { worker().start(); }
  void on_message() {
    if (!worker().is_lost()) {
      turn();
      worker().look();
    }
  }
  [[nodiscard]] virtual SimulatedWorker& worker() = 0;

 protected:
  virtual void turn() = 0;
};

/// The rank that deals out tasks. Its worker takes tasks directly.
class FirstPlace final : public SimulatedPlace {
 public:
  FirstPlace(const SimulatedBatch& batch, PoolDesk& desk, Channel& channel, CoreSlowness slowness, EventClock& clock)
      : server_(desk, channel, {.shared = [] { return std::vector<std::byte>(); }, .is_gone = [](Rank) { return false; }}),
        worker_({desk, [this](const ChunkSeconds& last) { last_ = last; }, [this, &desk] { return desk.take(0, last_); },
                 [this] { (void)server_.turn(); }},
                batch.seconds, std::move(slowness), clock) {}

  [[nodiscard]] SimulatedWorker& worker() override { return worker_; }

 private:
  void turn() override { (void)server_.turn(); }

  DeskServer server_;
  ChunkSeconds last_;
  SimulatedWorker worker_;
};

class OtherPlace final : public SimulatedPlace {
 public:
  OtherPlace(const SimulatedBatch& batch, Rank rank, Channel& channel, CoreSlowness slowness, EventClock& clock)
      : channel_(channel),
        outbox_(channel),
        desk_(rank, 1, {}),
        worker_({desk_,
                 [this](const ChunkSeconds& last) {
                   desk_.ask(0, last);
                   turn();
                 },
                 [this] { return desk_.take_granted(0); }, [this] { turn(); }},
                batch.seconds, std::move(slowness), clock) {}

  [[nodiscard]] SimulatedWorker& worker() override { return worker_; }

 private:
  void turn() override { (void)desk_.turn(channel_, outbox_); }

  Channel& channel_;
  Outbox outbox_;
  RemoteDesk desk_;
  SimulatedWorker worker_;
};

}  // namespace

std::vector<double> draw_seconds(Count num_systems, double mean, double deviation, std::uint64_t seed) {
  std::vector<double> seconds(static_cast<std::size_t>(num_systems), mean);
  if (deviation > 0) {
    const double variance = std::log1p(deviation / mean * (deviation / mean));  // of the logarithm
    SplitMix64 bits(seed);
    const auto uniform = [&bits] { return (static_cast<double>(bits.next() >> 11) + 1) * 0x1p-53; };  // above 0, at most 1
    std::generate(seconds.begin(), seconds.end(), [&] {                                               // Box & Muller 1958
      const double radius = std::sqrt(-2 * std::log(uniform()));
      return mean * std::exp(std::sqrt(variance) * radius * std::cos(2 * std::numbers::pi * uniform()) - variance / 2);
    });
  }
  return seconds;
}

SimulatedBatchResult simulate_batch(const SimulatedBatch& batch) {
  const std::unique_ptr<sg::Engine> engine = make_simulation_engine();
  const std::vector<sg::Host*> hosts = make_hosts(*engine, batch.machine, kLargestRate, batch.num_ranks);
  EventClock clock(hosts.front());
  std::vector<std::unique_ptr<SimulatedPlace>> places;
  std::vector<Rank> members(hosts.size());
  std::iota(members.begin(), members.end(), 0);
  EventNetwork network(hosts, delays_of(batch.machine.delays, members), clock,
                       [&places](Rank rank) { places[rank]->on_message(); });

  SimulatedBatchResult result;
  std::vector<Count> numbers(batch.seconds.size());
  std::iota(numbers.begin(), numbers.end(), Count{0});
  PoolDesk desk({.tasks = numbers, .chunks = batch.chunks, .gives_copies = batch.reissues, .num_places = batch.num_ranks},
                [&](Count /*system*/, std::string&& /*result*/) {
                  if (++result.num_systems_done == static_cast<Count>(numbers.size())) {
                    result.seconds = sg::Engine::get_clock();
                  }
                });
  result.competing_seconds = batch.machine.competing_load ? kCompetingPart * mean_share(batch) : 0;
  std::vector<CoreSlowness> slowness =
      slowness_of_ranks(batch.machine.slow_spells, batch.machine.competing_load, batch.num_ranks, result.competing_seconds);
  std::vector<CountedChannel> channels;
  channels.reserve(static_cast<std::size_t>(batch.num_ranks));
  for (Rank rank = 0; rank < batch.num_ranks; ++rank) {
    Channel& channel = channels.emplace_back(network.channel(rank));
    CoreSlowness& own = slowness[rank];
    if (rank == 0) {
      places.push_back(std::make_unique<FirstPlace>(batch, desk, channel, std::move(own), clock));
    } else {
      places.push_back(std::make_unique<OtherPlace>(batch, rank, channel, std::move(own), clock));
    }
  }
  for (const auto& [when, rank] : batch.losses) {
    clock.call_at(when, [&places, lost = rank] { places[lost]->worker().lose(); });
  }
  for (const auto& place : places) {
    clock.call_at(0, [&place] { place->start(); });
  }
  // The clock alone does not keep the simulation running.
  sg::Actor::create("end", hosts.front(), [&] {
    const double period = std::max(1e-6, mean_share(batch) / 100);
    while (!result.seconds && !numbers.empty() && !clock.empty()) {
      sg::this_actor::sleep_for(period);
    }
  });
  engine->run();
  if (numbers.empty()) {
    result.seconds = 0;
  }
  result.num_copies = desk.num_copies();
  for (Rank rank = 0; rank < batch.num_ranks; ++rank) {
    result.messages += channels[rank].counts().sent;
    result.ranks.push_back(places[rank]->worker().work());
    result.is_lost.push_back(places[rank]->worker().is_lost() ? 1 : 0);
  }
  return result;
}

}  // namespace frond
