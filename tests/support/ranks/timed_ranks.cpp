// SPDX-License-Identifier: BSD-3-Clause
// Drives the event loops of virtual ranks by virtual time.
#include "tests/support/ranks/timed_ranks.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "factorization/kernels/blas_threads.hpp"
#include "factorization/ranks/posted_task_events.hpp"
#include "factorization/ranks/rank_engine.hpp"
#include "frond/error.hpp"
#include "loadinfo/load_server.hpp"
#include "tests/support/ranks/virtual_numerics.hpp"

namespace frond::test {
namespace {

constexpr int kMainChannel = 0;
constexpr int kLoadChannel = 1;
constexpr double kSecondsPerJob = 2e-6;  // for anything but elimination

// Jobs of the single worker wait until it has time; lower numbers go first.
class WaitingPool final : public TaskPool {
 public:
  void submit(Index priority, Job job) override { jobs_.emplace(priority, std::move(job)); }
  void run(Job first) override {
    for (first(); !jobs_.empty();) {
      take()();
    }
  }
  [[nodiscard]] int num_workers() const override { return 1; }
  [[nodiscard]] int num_workers_seen() const override { return 1; }

  [[nodiscard]] bool is_empty() const { return jobs_.empty(); }
  Job take() { return std::move(jobs_.extract(jobs_.begin()).mapped()); }

 private:
  std::multimap<Index, Job> jobs_;
};

// A channel that reports what is received.
class WatchedChannel final : public Channel {
 public:
  using Watch = std::function<void(const ReceivedMessage&)>;

  WatchedChannel(Channel& channel, Watch watch) : channel_(channel), watch_(std::move(watch)) {}

  [[nodiscard]] Rank rank() const override { return channel_.rank(); }
  [[nodiscard]] Rank num_ranks() const override { return channel_.num_ranks(); }
  [[nodiscard]] bool send(Rank to, const MessageBody& body) override { return channel_.send(to, body); }
  [[nodiscard]] bool take_room_event() override { return channel_.take_room_event(); }
  [[nodiscard]] std::optional<ReceivedMessage> poll() override {
    std::optional<ReceivedMessage> message = channel_.poll();
    if (message) {
      watch_(*message);
    }
    return message;
  }

 private:
  Channel& channel_;
  Watch watch_;
};

// Callbacks while a rank works.
struct Watches {
  WatchedChannel::Watch main;
  WatchedChannel::Watch load;
  std::function<void(const LoadExchange&, std::span<const Assignment>)> decision;
};

RankEngineOptions engine_options(const TimedRun& run, Rank rank, const Watches& watches) {
  RankEngineOptions options;
  options.tasks.rank = rank;
  options.selection.schedule = run.schedule;
  options.watch_decision = watches.decision;
  return options;
}

template <Scalar S>
class TimedRank {
 public:
  TimedRank(const VirtualProblem<S>& problem, const TimedRun& run, EventQueue& events, const TimedNetwork& network, Rank rank,
            const Watches& watches)
      : events_(events),
        watched_channel_(network.channel(kMainChannel, rank), watches.main),
        channel_(watched_channel_),
        load_channel_(network.channel(kLoadChannel, rank), watches.load),
        numerics_(problem, problem.graph, rank, std::numeric_limits<Count>::max() / 2, pool_),
        loads_(load_channel_, run.exchange, [&events] { return events.now(); }),
        engine_({problem.symbolic.tree(), problem.method, sizeof(S), problem.graph, problem.mapping, numerics_.fronts,
                 numerics_.fronts.fronts(), channel_, loads_},
                engine_options(run, rank, watches)),
        posted_(calls_, engine_) {
    numerics_.fronts.set_events(posted_);
  }

  [[nodiscard]] RankEngine& engine() { return engine_; }
  [[nodiscard]] const LoadServer& loads() const { return loads_; }
  [[nodiscard]] const TrafficCounts& messages() const { return channel_.counts(); }
  [[nodiscard]] Load counted_load() {
    return loads_.with_exchange([](const LoadExchange& exchange) { return exchange.load(); });
  }
  [[nodiscard]] Count peak_active_bytes() const { return numerics_.meter.peak_active(); }

  void serve_loads() { static_cast<void>(loads_.serve()); }

  // Handles all messages that have arrived, then runs one job. False if there was none.
  bool look() {
    calls_.make_calls();
    engine_.on_load_event();
    while (const std::optional<ReceivedMessage> message = channel_.poll()) {
      engine_.on_message(*message);
    }
    if (pool_.is_empty()) {
      return false;
    }
    try {
      pool_.take()();
    } catch (...) {
      engine_.fail(std::current_exception());
    }
    busy_until_ = events_.now() + kSecondsPerJob;
    return true;
  }

  // Takes the time of the work that a job has done for this rank, here or, for the root on a grid, elsewhere.
  void work_off(double slowness) {
    const double flops = numerics_.fronts.report().flops;
    busy_until_ = std::max(busy_until_, events_.now()) + slowness * elimination_seconds({flops - worked_off_, 0});
    worked_off_ = flops;
  }
  [[nodiscard]] double busy_until() const { return busy_until_; }

 private:
  EventQueue& events_;
  WatchedChannel watched_channel_;
  CountedChannel channel_;
  WatchedChannel load_channel_;
  WaitingPool pool_;
  VirtualNumerics<S> numerics_;
  LoadServer loads_;
  RankEngine engine_;
  CallQueue calls_;
  PostedTaskEvents posted_;
  double worked_off_ = 0;  // flops that have had their time
  double busy_until_ = 0;
};

// All ranks of a run, and its measurements.
template <Scalar S>
class TimedRanks {
 public:
  TimedRanks(const VirtualProblem<S>& problem, const TimedRun& run)
      : problem_(problem),
        run_(run),
        random_(run.seed),
        network_(
            problem.mapping.num_ranks(), 2, events_, [this](int channel, Rank rank) { on_arrival(channel, rank); }, run.network),
        meter_(problem.mapping.num_ranks()) {
    for (Rank rank = 0; rank < problem.mapping.num_ranks(); ++rank) {
      const Watches watches{
          [this, rank](const ReceivedMessage& message) { note_task(rank, message); },
          [this, rank](const ReceivedMessage& message) { note_reservation(rank, message); },
          [this](const LoadExchange& exchange, std::span<const Assignment> chosen) { measure(exchange, chosen); }};
      ranks_.push_back(std::make_unique<TimedRank<S>>(problem, run, events_, network_, rank, watches));
    }
  }

  TimedRunResult run() {
    for (Rank rank = 0; rank < problem_.mapping.num_ranks(); ++rank) {
      events_.plan(0, [this, rank] {
        at(rank).engine().start();
        look(rank);
      });
    }
    while (events_.run_next()) {
    }
    TimedRunResult result;
    result.seconds = events_.now();
    result.view_flops = meter_.flops();
    result.view_bytes = meter_.bytes();
    for (Rank rank = 0; rank < problem_.mapping.num_ranks(); ++rank) {
      const RankEngine& engine = at(rank).engine();
      if (!engine.ended() || engine.failure()) {
        throw InternalError("rank " + std::to_string(rank) +
                            " does not end well: " + (engine.failure() ? engine.failure()->text : "it hangs"));
      }
      const LoadServiceCounts loads = at(rank).loads().counts();
      result.load_messages += loads.sent;
      result.main_messages += at(rank).messages();
      result.blocked_seconds += loads.blocked_seconds;
      result.peak_active_bytes = std::max(result.peak_active_bytes, at(rank).peak_active_bytes());
      result.num_decisions += engine.counts().decisions;
      result.num_slaves += engine.counts().slaves_chosen;
    }
    return result;
  }

 private:
  TimedRank<S>& at(Rank rank) { return *ranks_[static_cast<std::size_t>(rank)]; }

  void on_arrival(int channel, Rank rank) {
    if (channel == kLoadChannel) {
      at(rank).serve_loads();
    }
    look(rank);
  }

  // Runs the rank's loop, unless a job is under way.
  void look(Rank rank) {
    if (events_.now() < at(rank).busy_until()) {
      return;
    }
    if (!at(rank).look()) {
      return;
    }
    for (Rank other = 0; other < problem_.mapping.num_ranks(); ++other) {
      at(other).work_off(draw_slowness());
      events_.plan(at(other).busy_until(), [this, other] { look(other); });
    }
  }

  // Returns a factor within run_.noise of 1.
  double draw_slowness() {
    const double drawn = static_cast<double>(random_()) / static_cast<double>(std::mt19937::max());
    return 1 + run_.noise * (2 * drawn - 1);
  }

  void measure(const LoadExchange& exchange, std::span<const Assignment> chosen) {
    std::vector<Load> counted(static_cast<std::size_t>(exchange.num_ranks()));
    for (const Rank rank : exchange.candidates()) {
      counted[static_cast<std::size_t>(rank)] = at(rank).counted_load();
    }
    meter_.measure(exchange.candidates(), exchange.view(), counted);
    meter_.choose(chosen);
  }

  // Without reservations, a slave counts its task when the task arrives, otherwise when the reservation does.
  void note_task(Rank rank, const ReceivedMessage& message) {
    const std::size_t kind = MainMessage(SlaveTaskMessage()).index();
    if (run_.exchange.mechanism != LoadMechanism::naive || std::to_integer<std::size_t>(message.bytes()[0]) != kind) {
      return;
    }
    const FrontPlan plan = std::get<SlaveTaskMessage>(decode_main_message(message.bytes())).plan;
    if (problem_.graph.task(plan.task).type != NodeType::row_distributed) {
      return;
    }
    const FrontSize size = front_size(problem_.symbolic.tree(), problem_.graph, plan);
    const SharedFront front{size.order, size.num_fully_summed, problem_.method, sizeof(S)};
    for (const RowShare& share : plan.shares) {
      if (share.rank == rank) {
        meter_.count(rank, block_load(front, share.row_begin, share.row_end));
      }
    }
  }

  void note_reservation(Rank rank, const ReceivedMessage& message) {
    const LoadMessage content = decode(message.bytes());
    if (content.kind == LoadMessageKind::reservation) {
      meter_.count(rank, content.load);
    }
    for (const Assignment& assignment : content.assignments) {
      if (assignment.rank == rank) {
        meter_.count(rank, assignment.load);
      }
    }
  }

  const VirtualProblem<S>& problem_;
  const TimedRun& run_;
  std::mt19937 random_;
  EventQueue events_;
  TimedNetwork network_;
  ViewMeter meter_;
  std::vector<std::unique_ptr<TimedRank<S>>> ranks_;
};

}  // namespace

template <Scalar S>
TimedRunResult factorize_in_virtual_time(const Symbolic& symbolic, Method method, const SparseMatrix<S>& a, const Mapping& mapping,
                                         const TimedRun& run) {
  const VirtualProblem<S> problem(symbolic, method, a, mapping, {});
  const BlasThreadsGuard guard;
  return TimedRanks<S>(problem, run).run();
}

template TimedRunResult factorize_in_virtual_time(const Symbolic&, Method, const SparseMatrix<double>&, const Mapping&,
                                                  const TimedRun&);

}  // namespace frond::test
