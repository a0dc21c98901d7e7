// SPDX-License-Identifier: BSD-3-Clause
// Runs the event loops of ranks whose workers only let virtual time pass.
#include "tests/support/ranks/ghost_ranks.hpp"

#include <map>
#include <optional>
#include <utility>

#include "factorization/ghosts/ghost_fronts.hpp"
#include "factorization/ranks/posted_task_events.hpp"
#include "factorization/ranks/rank_engine.hpp"
#include "loadinfo/load_server.hpp"
#include "tests/support/ranks/timed_network.hpp"

namespace frond::test {
namespace {

constexpr int kMainChannel = 0;
constexpr int kLoadChannel = 1;

GhostCosts plain_costs() {
  GhostCosts costs;
  costs.elimination = [](double flops, Index /*order*/, Index /*num_pivots*/) { return elimination_seconds({flops, 0}); };
  costs.master = costs.elimination;
  costs.slave = costs.elimination;
  costs.assembly = [](double entries, Index /*order*/) { return assembly_seconds({0, entries}); };
  return costs;
}

RankEngineOptions engine_options(Rank rank) {
  RankEngineOptions options;
  options.tasks.rank = rank;
  return options;
}

// One worker.
class TimedWorker final : public GhostWorkers {
 public:
  void submit(Index priority, FrontPart /*part*/, GhostJob job) override { jobs_.emplace(priority, std::move(job)); }

  [[nodiscard]] bool is_busy() const { return static_cast<bool>(running_); }

  // Continues the job, or starts another one. Returns its duration; nothing if there is no job, or the last one has ended.
  std::optional<double> work() {
    if (!running_) {
      if (jobs_.empty()) {
        return std::nullopt;
      }
      running_ = std::move(jobs_.extract(jobs_.begin()).mapped());
    }
    const std::optional<double> seconds = running_();
    if (!seconds) {
      running_ = nullptr;
    }
    return seconds;
  }

 private:
  std::multimap<Index, GhostJob> jobs_;
  GhostJob running_;
};

struct GhostProblem {
  const AssemblyTree& tree;
  Method method;
  Count scalar_bytes;
  const Mapping& mapping;
  TaskGraph graph;
};

class GhostRank {
 public:
  GhostRank(const GhostProblem& problem, const GhostRun& run, EventQueue& events, const TimedNetwork& network, Rank rank)
      : events_(events),
        channel_(network.channel(kMainChannel, rank)),
        fronts_({problem.tree, problem.graph, problem.method, problem.scalar_bytes, 8, rank, plain_costs(), worker_},
                run.memory_limit),
        loads_(network.channel(kLoadChannel, rank), {.mechanism = run.mechanism, .threshold = {}},
               [&events] { return events.now(); }),
        engine_({problem.tree, problem.method, problem.scalar_bytes, problem.graph, problem.mapping, fronts_, fronts_, channel_,
                 loads_},
                engine_options(rank)),
        posted_(calls_, engine_) {
    fronts_.set_events(posted_);
  }

  void start() {
    engine_.start();
    look();
  }
  void serve_loads() { static_cast<void>(loads_.serve()); }

  void look() {
    while (!worker_.is_busy()) {
      calls_.make_calls();
      engine_.on_load_event();
      while (const std::optional<ReceivedMessage> message = channel_.poll()) {
        engine_.on_message(*message);
      }
      if (!let_work()) {
        return;
      }
    }
  }

  [[nodiscard]] const RankEngine& engine() const { return engine_; }
  [[nodiscard]] const GhostFronts& fronts() const { return fronts_; }
  [[nodiscard]] const TrafficCounts& messages() const { return channel_.counts(); }

 private:
  // Returns false if there was no job.
  bool let_work() {
    const bool was_busy = worker_.is_busy();
    std::optional<double> seconds;
    try {
      seconds = worker_.work();
    } catch (...) {
      engine_.fail(std::current_exception());
    }
    if (seconds) {
      events_.plan(events_.now() + *seconds, [this] {
        let_work();
        look();
      });
    }
    return seconds || was_busy;
  }

  EventQueue& events_;
  CountedChannel channel_;
  TimedWorker worker_;
  GhostFronts fronts_;
  LoadServer loads_;
  RankEngine engine_;
  CallQueue calls_;
  PostedTaskEvents posted_;
};

}  // namespace

MessageCounts messages_named(const TrafficCounts& traffic, std::string_view name) {
  for (std::size_t kind = 0; kind < kNumMainMessageKinds; ++kind) {
    if (main_message_name(kind) == name) {
      return traffic.sent_by_kind[kind];
    }
  }
  return {};
}

GhostRunResult run_ghosts(const Symbolic& symbolic, Method method, Count scalar_bytes, const Mapping& mapping,
                          const GhostRun& run) {
  const GhostProblem problem{symbolic.tree(), method, scalar_bytes, mapping,
                             TaskGraph(symbolic.tree(), method, scalar_bytes, mapping)};
  EventQueue events;
  std::vector<std::unique_ptr<GhostRank>> ranks;
  const TimedNetwork network(mapping.num_ranks(), 2, events, [&ranks](int channel, Rank to) {
    GhostRank& rank = *ranks[static_cast<std::size_t>(to)];
    if (channel == kLoadChannel) {
      rank.serve_loads();
    }
    rank.look();
  });
  for (Rank rank = 0; rank < mapping.num_ranks(); ++rank) {
    ranks.push_back(std::make_unique<GhostRank>(problem, run, events, network, rank));
    events.plan(0, [&ranks, rank] { ranks[static_cast<std::size_t>(rank)]->start(); });
  }
  while (events.run_next()) {
  }
  GhostRunResult result;
  result.seconds = events.now();
  for (Rank k = 0; k < mapping.num_ranks(); ++k) {
    const GhostRank& rank = *ranks[static_cast<std::size_t>(k)];
    if (rank.engine().failure() || !rank.engine().ended()) {
      result.complaints.push_back("rank " + std::to_string(k) + ": " +
                                  (rank.engine().failure() ? rank.engine().failure()->text : "does not end"));
    }
    result.flops += rank.fronts().flops();
    result.peak_bytes.push_back(rank.fronts().peak_bytes());
    result.peak_active_bytes.push_back(rank.fronts().peak_active_bytes());
    result.bytes_left += rank.fronts().active_bytes();
    result.messages += rank.messages();
    result.num_decisions += rank.engine().counts().decisions;
    result.num_slaves += rank.engine().counts().slaves_chosen;
    result.num_refusals += rank.engine().counts().refusals;
  }
  return result;
}

}  // namespace frond::test
