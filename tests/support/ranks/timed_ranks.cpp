// SPDX-License-Identifier: BSD-3-Clause
// Drives the event loops of virtual ranks by virtual time.
#include "tests/support/ranks/timed_ranks.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "analysis/tree/front_cost.hpp"
#include "factorization/ghosts/ghost_fronts.hpp"
#include "factorization/kernels/blas_threads.hpp"
#include "factorization/ranks/posted_task_events.hpp"
#include "factorization/ranks/rank_engine.hpp"
#include "loadinfo/load_server.hpp"
#include "tests/support/ranks/timed_network.hpp"
#include "tests/support/ranks/virtual_numerics.hpp"

namespace frond::test {
namespace {

struct TimedProblem {
  const AssemblyTree& tree;
  Method method;
  Count scalar_bytes;
  const Mapping& mapping;
  const TaskGraph& graph;
};

// The one worker of a rank. Jobs of lower priority number go first.
class TimedWorker {
 public:
  void submit(Index priority, GhostJob job) { jobs_.emplace(priority, std::move(job)); }
  [[nodiscard]] bool is_busy() const { return static_cast<bool>(running_); }

  // Continues the job, or starts another one. Returns its duration; nothing if there is no job, or the last one has ended.
  std::optional<double> work() {
    if (!running_ && jobs_.empty()) {
      return std::nullopt;
    }
    GhostJob job = running_ ? std::exchange(running_, nullptr) : std::move(jobs_.extract(jobs_.begin()).mapped());
    const std::optional<double> seconds = job();
    if (seconds) {
      running_ = std::move(job);
    }
    return seconds;
  }

 private:
  std::multimap<Index, GhostJob> jobs_;
  GhostJob running_;
};

GhostCosts plain_costs() {
  GhostCosts costs;
  costs.elimination = [](double flops, Index /*order*/, Index /*num_pivots*/) { return elimination_seconds({flops, 0}); };
  costs.master = costs.elimination;
  costs.slave = costs.elimination;
  costs.assembly = [](double entries, Index /*order*/) { return assembly_seconds({0, entries}); };
  return costs;
}

// Fronts of a rank without entries.
class FrontsWithoutEntries final : public GhostWorkers {
 public:
  FrontsWithoutEntries(const TimedProblem& problem, Rank rank, Count memory_limit)
      : fronts_({problem.tree, problem.graph, problem.method, problem.scalar_bytes, 8, rank, plain_costs(), *this}, memory_limit) {}

  void submit(Index priority, FrontPart /*part*/, GhostJob job) override { worker_.submit(priority, std::move(job)); }

  [[nodiscard]] TimedWorker& worker() { return worker_; }
  [[nodiscard]] PartNumerics& numerics() { return fronts_; }
  [[nodiscard]] FrontParts& parts() { return fronts_; }
  void set_events(TaskEvents& events) { fronts_.set_events(events); }
  [[nodiscard]] double flops() const { return fronts_.flops(); }
  [[nodiscard]] Count peak_bytes() const { return fronts_.peak_bytes(); }
  [[nodiscard]] Count peak_active_bytes() const { return fronts_.peak_active_bytes(); }
  [[nodiscard]] Count active_bytes() const { return fronts_.active_bytes(); }

 private:
  TimedWorker worker_;
  GhostFronts fronts_;
};

// Fronts of a rank with entries.
class FrontsWithEntries final : public TaskPool {
 public:
  FrontsWithEntries(const TimedProblem& problem, Rank rank, const VirtualProblem<double>& numbers)
      : numerics_(numbers, problem.graph, rank, std::numeric_limits<Count>::max() / 2, *this) {}

  // What a job does is done when it begins.
  void submit(Index priority, Job job) override {
    worker_.submit(priority, [this, job = std::move(job), has_run = false]() mutable -> std::optional<double> {
      if (std::exchange(has_run, true)) {
        return std::nullopt;
      }
      constexpr double kSecondsPerJob = 2e-6;  // for anything but elimination
      const double before = flops();
      job();
      return kSecondsPerJob + elimination_seconds({flops() - before, 0});
    });
  }
  void run(Job first) override { submit(0, std::move(first)); }
  [[nodiscard]] int num_workers() const override { return 1; }
  [[nodiscard]] int num_workers_seen() const override { return 1; }

  [[nodiscard]] TimedWorker& worker() { return worker_; }
  [[nodiscard]] PartNumerics& numerics() { return numerics_.fronts; }
  [[nodiscard]] FrontParts& parts() { return numerics_.fronts.fronts(); }
  void set_events(TaskEvents& events) { numerics_.fronts.set_events(events); }
  [[nodiscard]] double flops() const { return numerics_.fronts.report().flops; }
  [[nodiscard]] Count peak_bytes() const { return numerics_.meter.peak(); }
  [[nodiscard]] Count peak_active_bytes() const { return numerics_.meter.peak_active(); }
  [[nodiscard]] Count active_bytes() const { return numerics_.meter.current_active(); }

 private:
  TimedWorker worker_;
  VirtualNumerics<double> numerics_;
};

RankEngineOptions engine_options(Rank rank) {
  RankEngineOptions options;
  options.tasks.rank = rank;
  return options;
}

template <class Fronts>
class TimedRank {
 public:
  template <class Given>
  TimedRank(const TimedProblem& problem, EventQueue& events, Channel& main_channel, Channel& load_channel, const Given& given)
      : events_(events),
        fronts_(problem, main_channel.rank(), given),
        channel_(main_channel),
        loads_(load_channel, {}, [&events] { return events.now(); }),
        engine_({problem.tree, problem.method, problem.scalar_bytes, problem.graph, problem.mapping, fronts_.numerics(),
                 fronts_.parts(), channel_, loads_},
                engine_options(main_channel.rank())),
        posted_(calls_, engine_) {
    fronts_.set_events(posted_);
  }

  void start() {
    engine_.start();
    look();
  }
  void serve_loads() {
    static_cast<void>(loads_.serve());
    look();
  }

  void look() {
    while (!fronts_.worker().is_busy()) {
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
  [[nodiscard]] const Fronts& fronts() const { return fronts_; }
  [[nodiscard]] const TrafficCounts& messages() const { return channel_.counts(); }

 private:
  // Returns false if there was no job.
  bool let_work() {
    const bool was_busy = fronts_.worker().is_busy();
    std::optional<double> seconds;
    try {
      seconds = fronts_.worker().work();
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
  Fronts fronts_;
  CountedChannel channel_;
  LoadServer loads_;
  RankEngine engine_;
  CallQueue calls_;
  PostedTaskEvents posted_;
};

template <class Fronts, class Given>
TimedRunResult run_in_time(const TimedProblem& problem, const Given& given) {
  const Rank num_ranks = problem.mapping.num_ranks();
  EventQueue events;
  TimedChannel::All main_channels;
  TimedChannel::All load_channels;
  std::vector<double> free_at(static_cast<std::size_t>(num_ranks), 0);  // [rank]
  std::vector<std::unique_ptr<TimedRank<Fronts>>> ranks;
  for (Rank rank = 0; rank < num_ranks; ++rank) {
    const auto k = static_cast<std::size_t>(rank);
    main_channels.push_back(
        std::make_unique<TimedChannel>(events, main_channels, rank, num_ranks, free_at[k], [&ranks, k] { ranks[k]->look(); }));
    load_channels.push_back(std::make_unique<TimedChannel>(events, load_channels, rank, num_ranks, free_at[k],
                                                           [&ranks, k] { ranks[k]->serve_loads(); }));
  }
  for (std::size_t k = 0; k < free_at.size(); ++k) {
    ranks.push_back(std::make_unique<TimedRank<Fronts>>(problem, events, *main_channels[k], *load_channels[k], given));
    events.plan(0, [&started = *ranks.back()] { started.start(); });
  }
  events.run_all();
  TimedRunResult result;
  result.seconds = events.now();
  for (const auto& rank : ranks) {
    const RankEngine& engine = rank->engine();
    if (engine.failure() || !engine.ended()) {
      result.complaints.push_back("rank " + std::to_string(engine.rank()) + ": " +
                                  (engine.failure() ? engine.failure()->text : "does not end"));
    }
    result.flops += rank->fronts().flops();
    result.peak_bytes.push_back(rank->fronts().peak_bytes());
    result.peak_active_bytes.push_back(rank->fronts().peak_active_bytes());
    result.bytes_left += rank->fronts().active_bytes();
    result.messages += rank->messages();
    result.num_decisions += engine.counts().decisions;
    result.num_refusals += engine.counts().refusals;
  }
  return result;
}

}  // namespace

MessageCounts messages_named(const TrafficCounts& traffic, std::string_view name) {
  for (std::size_t kind = 0; kind < kNumMainMessageKinds; ++kind) {
    if (main_message_name(kind) == name) {
      return traffic.sent_by_kind[kind];
    }
  }
  return {};
}

TimedRunResult run_ghosts(const Symbolic& symbolic, Method method, Count scalar_bytes, const Mapping& mapping, Count memory_limit) {
  const TaskGraph graph(symbolic.tree(), method, scalar_bytes, mapping);
  return run_in_time<FrontsWithoutEntries>({symbolic.tree(), method, scalar_bytes, mapping, graph}, memory_limit);
}

TimedRunResult run_real_fronts(const Symbolic& symbolic, Method method, const SparseMatrix<double>& a, const Mapping& mapping) {
  const VirtualProblem<double> numbers(symbolic, method, a, mapping, {});
  const BlasThreadsGuard guard;
  return run_in_time<FrontsWithEntries>({symbolic.tree(), method, sizeof(double), mapping, numbers.graph}, numbers);
}

}  // namespace frond::test
