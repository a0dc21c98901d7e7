// SPDX-License-Identifier: BSD-3-Clause
// Drives virtual ranks adversarially.
#include "tests/support/ranks/virtual_ranks.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "analysis/mapping/moved_subtrees.hpp"
#include "factorization/kernels/blas_threads.hpp"
#include "factorization/ranks/exchange_options.hpp"
#include "factorization/ranks/rank_engine.hpp"
#include "frond/error.hpp"
#include "loadinfo/load_server.hpp"
#include "tests/support/ranks/virtual_network.hpp"
#include "tests/support/ranks/virtual_numerics.hpp"
#include "tests/support/ranks/virtual_troubles.hpp"

namespace frond::test {
namespace {

// Keeps jobs until the driver draws one.
class VirtualPool final : public TaskPool {
 public:
  void submit(Index /*priority*/, Job job) override { jobs_.push_back(std::move(job)); }
  void run(Job first) override {
    first();
    while (!jobs_.empty()) {
      take(0)();
    }
  }
  [[nodiscard]] int num_workers() const override { return 4; }  // large fronts are split into jobs
  [[nodiscard]] int num_workers_seen() const override { return 1; }

  [[nodiscard]] std::size_t num_jobs() const { return jobs_.size(); }
  Job take(std::size_t index) {
    Job job = std::move(jobs_[index]);
    jobs_.erase(jobs_.begin() + index);
    return job;
  }

 private:
  std::vector<Job> jobs_;
};

// Every variation is sent.
template <Scalar S>
LoadExchangeOptions exchange_of(const VirtualProblem<S>& problem, const VirtualRun& run) {
  LoadExchangeOptions options = exchange_options(run.mechanism, problem.graph, problem.mapping);
  options.threshold = {};
  return options;
}

// Reports to an engine what happens to its tasks, with other times than they took.
class RetimedTasks final : public TaskEvents {
 public:
  RetimedTasks(RankEngine& engine, const std::function<double(Rank)>& task_seconds) : engine_(engine), seconds_(task_seconds) {}

  void on_assembled(TaskId id) override { engine_.on_assembled(id); }
  void on_finished(TaskId id) override { engine_.on_finished(id); }
  void on_timed(TaskId id, double /*seconds*/) override {
    if (seconds_) {
      engine_.on_timed(id, seconds_(engine_.rank()));
    }
  }
  void on_step(FrontPart part, PartStep step) override { engine_.on_step(part, std::move(step)); }
  void stop() override { engine_.stop(); }

 private:
  RankEngine& engine_;
  const std::function<double(Rank)>& seconds_;
};

template <Scalar S>
class VirtualRank final : public PlanInForce {
 public:
  VirtualRank(const VirtualProblem<S>& problem, VirtualNetwork& network, Rank rank, const VirtualRun& run,
              RankFrontWatcher<S>* watcher, FrontStore<S>* store)
      : channel_(network.channel(0, rank), run.bug == PlantedBug::lost_room ? run.bug : PlantedBug::none),
        load_channel_(network.channel(1, rank), run.bug),
        problem_(problem),
        ahead_limit_bytes_(run.ahead_limit_bytes),
        mapping_(problem.mapping),
        graph_(problem.graph),
        numerics_(problem, graph_, rank, run.memory_limit, pool_, watcher, run.budget, store),
        parts_(numerics_.fronts, numerics_.fronts.fronts(), rank, run),
        loads_(load_channel_, exchange_of(problem, run)),
        move_files_(run),
        engine_({problem.symbolic.tree(), problem.method, sizeof(S), graph_, mapping_, parts_, parts_, channel_, loads_,
                 run.drains.empty() ? RankRecovery{} : RankRecovery{this, &numerics_.fronts.fronts(), &move_files_},
                 stored_nodes(problem.symbolic.tree(), store)},
                {.tasks = {.rank = rank, .max_active = run.max_active, .ahead_limit_bytes = run.ahead_limit_bytes},
                 .selection = run.selection,
                 .piece_bytes = run.piece_bytes,
                 .relayed_bytes = run.relayed_bytes,
                 .sharing = run.sharing,
                 .sharing_seed = run.seed,
                 .follows_paces = static_cast<bool>(run.task_seconds),
                 .chunks = run.chunks}),
        events_(engine_, run.task_seconds) {
    numerics_.fronts.set_events(events_);
  }

  Terms adopt(const RecoveryPlan& plan) override {
    TaskGraph next(problem_.symbolic.tree(), problem_.method, sizeof(S), plan.mapping, problem_.kept, plan.finished, problem_.cut);
    numerics_.fronts.fronts().renumber(next, plan.shares);
    if (plan.mapping.root_grid().ranks != mapping_.root_grid().ranks) {
      numerics_.fronts.set_root(problem_.later_root(plan.number, plan.mapping.root_grid(), channel_.rank()));
    }
    graph_ = std::move(next);
    mapping_ = plan.mapping;
    return {ahead_limit_bytes_, 0};
  }

  RankEngine& engine() { return engine_; }
  [[nodiscard]] const Mapping& mapping() const { return mapping_; }
  [[nodiscard]] bool has_heard_after_end() const { return has_heard_after_end_; }
  [[nodiscard]] FactorizationReport report() const { return numerics_.fronts.report(); }
  [[nodiscard]] Count peak_bytes() const { return numerics_.meter.peak(); }
  [[nodiscard]] LoadMessageCounts load_messages() const { return loads_.counts().sent; }
  [[nodiscard]] Load load() {
    return loads_.with_exchange([](const LoadExchange& exchange) { return exchange.load(); });
  }
  [[nodiscard]] RankFactors<S> take_factors() const { return numerics_.take_factors(); }

  // Runs one event drawn by `random`; false if there is none.
  bool step(std::mt19937& random, const VirtualRun& run, Count& num_messages) {
    if (random() % 2 == 0 && serve_loads()) {
      return true;
    }
    if (channel_.take_room_event()) {
      engine_.on_room();
      return true;
    }
    if (pool_.num_jobs() > 0 && random() % 2 == 0) {
      return run_job(random, run);
    }
    if (engine_.is_deciding() && is_struck(run, Phase::choosing_slaves)) {
      return true;
    }
    if (std::optional<ReceivedMessage> message = channel_.poll()) {
      ++num_messages;
      has_heard_after_end_ = has_heard_after_end_ || engine_.ended();
      const bool is_about_end = message->bytes().front() == std::byte{kEndMessages.done};
      if (is_about_end && channel_.rank() == 0 && is_struck(run, Phase::ending)) {
        return true;
      }
      // When rank 0 announces the end, others may have ended already: no rank can fail any more.
      if (!(is_about_end && message->from() == 0) && run.is_garbled(channel_.rank())) {
        message.emplace(message->from(), 1, std::make_unique<std::byte[]>(1));
      }
      engine_.on_message(*message);
      return true;
    }
    if (pool_.num_jobs() > 0) {
      return run_job(random, run);
    }
    return serve_loads();
  }

 private:
  bool serve_loads() {
    const bool has_served = loads_.serve() > 0;
    return engine_.on_load_event() || has_served;
  }

  bool run_job(std::mt19937& random, const VirtualRun& run) {
    const TaskPool::Job job = pool_.take(random() % pool_.num_jobs());
    if (!is_struck(run, Phase::job)) {
      try {
        job();
      } catch (...) {
        engine_.fail(std::current_exception());
      }
    }
    return true;
  }

  // True if something goes wrong before this rank's next step, which is then skipped.
  bool is_struck(const VirtualRun& run, Phase phase) {
    try {
      run.before(channel_.rank(), phase);
      return false;
    } catch (...) {
      engine_.fail(std::current_exception());
      return true;
    }
  }

  bool has_heard_after_end_ = false;
  BuggyChannel channel_;
  BuggyChannel load_channel_;
  VirtualPool pool_;
  const VirtualProblem<S>& problem_;
  Count ahead_limit_bytes_;
  Mapping mapping_;
  TaskGraph graph_;
  VirtualNumerics<S> numerics_;
  TroubledParts parts_;
  LoadServer loads_;
  TroubledMoveFiles move_files_;
  RankEngine engine_;
  RetimedTasks events_;
};

// If no event is possible, lack of memory ends the run. False if no rank lacks memory.
template <Scalar S>
bool end_starvation(const std::vector<std::unique_ptr<VirtualRank<S>>>& ranks) {
  for (const auto& rank : ranks) {
    RankEngine& engine = rank->engine();
    if (const Count missing = engine.missing_bytes(); missing > 0 && !engine.failure()) {
      engine.fail(std::make_exception_ptr(MemoryError("nobody has memory", missing, 0)));
      return true;
    }
  }
  return false;
}

// Asks ranks to leave, one drain after the other.
class Drains {
 public:
  explicit Drains(const VirtualRun& run) : next_(run.drains.begin()), end_(run.drains.end()) {}

  void ask(RankEngine& engine, VirtualRunCounts& counts) {
    if (is_asked_ && !engine.pauses()) {
      const bool is_refused = engine.refusal().has_value();
      counts.refused_drains += is_refused ? 1 : 0;
      counts.stuck_pauses +=
          is_refused && engine.refusal()->kind == Failure::Kind::memory && engine.refusal()->needed_bytes == 0 ? 1 : 0;
      is_asked_ = false;
      ++next_;
    }
    if (next_ != end_ && !is_asked_ && counts.messages >= next_->after_messages && next_->is_due()) {
      is_asked_ = engine.drain(next_->leaving, next_->folder);
    }
  }

 private:
  std::vector<VirtualDrain>::const_iterator next_;
  std::vector<VirtualDrain>::const_iterator end_;
  bool is_asked_ = false;
};

// Stops a rank as a user would.
class Stop {
 public:
  explicit Stop(const VirtualRun& run) : stop_(run.stop) {}

  [[nodiscard]] Rank rank() const { return stop_ ? stop_->rank : 0; }

  void look(RankEngine& engine, Count num_messages) {
    if (!stop_ || num_messages < stop_->after_messages || engine.ended() || (was_told_ && !stop_->again)) {
      return;
    }
    was_told_ = true;
    must_be_heard_ = must_be_heard_ || (engine.pauses() && stop_->rank != 0);
    engine.fail(std::make_exception_ptr(StoppedError("stopped")));
  }

  /// True if no rank could have finished by then.
  [[nodiscard]] bool must_be_heard() const { return must_be_heard_; }

 private:
  std::optional<VirtualStop> stop_;
  bool was_told_ = false;
  bool must_be_heard_ = false;
};

// Tracks which ranks still work.
class Fates {
 public:
  Fates(const VirtualRun& run, VirtualNetwork& network, Rank num_ranks)
      : run_(run), network_(network), fates_(static_cast<std::size_t>(num_ranks), Fate::works) {}

  [[nodiscard]] bool works(Rank rank, Count num_messages) {
    Fate& fate = fates_[rank];
    if (fate == Fate::works) {
      fate = run_.fate(rank, num_messages);
      if (fate == Fate::dies) {
        network_.lose(rank);
      }
      have_all_stayed_ = have_all_stayed_ && fate == Fate::works;
    }
    return fate == Fate::works;
  }
  [[nodiscard]] bool have_all_stayed() const { return have_all_stayed_; }

 private:
  const VirtualRun& run_;
  VirtualNetwork& network_;
  std::vector<Fate> fates_;  // [rank]
  bool have_all_stayed_ = true;
};

// Returns what a rank that has left still holds.
template <Scalar S>
std::string left_behind(const RankFactors<S>& factors) {
  for (const FrontFactor<S>& front : factors.fronts) {
    if (front.row_variables != nullptr) {
      return "a front";
    }
  }
  return !factors.rows.empty() ? "rows" : !factors.shares.empty() ? "shares" : "";
}

template <class Result>
void complain(Result& result, bool is_right, const std::string& what) {
  if (!is_right) {
    result.complaints.push_back(what);
  }
}

// Collects what is wrong with a rank at the end of a run.
template <Scalar S>
void inspect(VirtualRank<S>& part, const std::string& name, VirtualRunResult<S>& result) {
  const RankEngine& engine = part.engine();
  complain(result, engine.ended(),
           name + " hangs: it " + engine.describe_wait() + ", " +
               (engine.failure() ? "failure: " + engine.failure()->text : std::string("no failure")));
  complain(result, engine.failure() == result.failure, name + " ends with another failure");
  complain(result, !part.has_heard_after_end(), name + " has ended, and is sent messages");
  if (!result.failure) {
    complain(result, engine.tasks().active().bytes() == 0,
             name + " holds " + std::to_string(engine.tasks().active().bytes()) + " bytes");
    complain(result, part.load() == Load{}, name + " has a load left");
  }
}

// Adds the counts of a rank.
template <Scalar S>
void add_counts(VirtualRank<S>& part, VirtualRunResult<S>& result) {
  const RankEngine& engine = part.engine();
  result.report += part.report();
  result.counts.peak_bytes = std::max(result.counts.peak_bytes, part.peak_bytes());
  result.counts.put_off += engine.tasks().num_put_off();
  result.counts.load_messages += part.load_messages();
}

}  // namespace

std::string to_string(Phase phase) {
  switch (phase) {
    case Phase::job:
      return "numerical jobs";
    case Phase::announcing:
      return "announcing";
    case Phase::choosing_slaves:
      return "choosing slaves";
    case Phase::expecting:
      return "expecting a part";
    case Phase::receiving_rows:
      return "receiving rows";
    case Phase::assembling:
      return "assembling a part";
    case Phase::eliminating:
      return "eliminating a part";
    case Phase::factorizing_root:
      return "the root on a grid";
    case Phase::sending_rows:
      return "sending rows";
    case Phase::ending:
      return "the end";
  }
  return {};
}

template <Scalar S>
VirtualRunResult<S> factorize_on_virtual_ranks(const std::shared_ptr<const Symbolic>& symbolic, Method method,
                                               const SparseMatrix<S>& a, const Mapping& mapping, const VirtualRun& run,
                                               const RankWatchers<S>& watchers, const RankStores<S>& stores) {
  const Rank num_ranks = mapping.num_ranks();
  const VirtualProblem<S> problem(*symbolic, method, a, mapping, run.pivoting,
                                  watchers.empty() ? KeptFactors::all : KeptFactors::backward,
                                  stored_nodes(symbolic->tree(), stores.empty() ? nullptr : stores.front()),
                                  {.tasks_move = run.sharing != WorkSharing::fixed, .least_seconds = run.least_task_seconds});
  const BlasThreadsGuard guard;
  VirtualNetwork network(num_ranks, 2, run.buffer_bytes, run.seed);
  std::mt19937 random(run.seed);
  std::vector<std::unique_ptr<VirtualRank<S>>> ranks;
  ranks.reserve(static_cast<std::size_t>(num_ranks));
  for (Rank rank = 0; rank < num_ranks; ++rank) {
    ranks.push_back(std::make_unique<VirtualRank<S>>(problem, network, rank, run, watchers.empty() ? nullptr : watchers[rank],
                                                     stores.empty() ? nullptr : stores[rank]));
  }
  VirtualRunResult<S> result;
  for (const auto& rank : ranks) {
    rank->engine().start();
  }
  const auto slow_ranks = static_cast<std::uint32_t>(random());  // bit k: rank k mod 32 if the next bit is set, too
  constexpr Count kMostRounds = 3'000'000;                       // a hundred times what the longest runs take
  Count rounds_left = kMostRounds;
  Drains drains(run);
  Stop stop(run);
  Fates fates(run, network, num_ranks);
  for (bool has_moved = true; has_moved && rounds_left > 0; --rounds_left) {
    drains.ask(ranks[0]->engine(), result.counts);
    stop.look(ranks[stop.rank()]->engine(), result.counts.messages);
    has_moved = network.deliver();
    const std::size_t first = random() % ranks.size();
    for (std::size_t i = 0; i < ranks.size() && !(has_moved && random() % 3 == 0); ++i) {
      const std::size_t rank = (first + i) % ranks.size();
      const bool is_slow = (slow_ranks >> (rank % 31) & 3U) == 3;
      if ((!is_slow || !has_moved || random() % 16 == 0) && fates.works(static_cast<Rank>(rank), result.counts.messages)) {
        has_moved = ranks[rank]->step(random, run, result.counts.messages) || has_moved;
        if (run.watch) {
          run.watch(ranks[rank]->engine());
        }
      }
    }
    // A load server may have sent without receiving.
    if (fates.have_all_stayed()) {  // otherwise no rank waits for messages that never arrive
      has_moved = has_moved || !network.is_empty() || end_starvation(ranks);
    }
    const auto num_deciding =
        std::count_if(ranks.begin(), ranks.end(), [](const auto& rank) { return rank->engine().is_deciding(); });
    result.counts.simultaneous_decisions += num_deciding > 1 ? 1 : 0;
  }
  complain(result, rounds_left > 0, "something goes on for ever");
  for (const auto& rank : ranks) {
    const RankEngineCounts& counts = rank->engine().counts();
    result.counts += counts;
    result.counts.taken_by.push_back(counts.tasks_taken);
    result.counts.given_by.push_back(counts.tasks_given);
  }
  if (!fates.have_all_stayed()) {
    result.is_thrown_away = true;
    for (FrontStore<S>* store : stores) {
      store->finish(0);
    }
    return result;
  }
  result.failure = ranks[0]->engine().failure();
  complain(result, result.failure || !stop.must_be_heard(), "that a rank at rest was stopped was lost");
  std::vector<std::vector<NodeId>> taken;
  for (Rank rank = 0; rank < num_ranks; ++rank) {
    VirtualRank<S>& part = *ranks[rank];
    const std::string name = "rank " + std::to_string(rank);
    inspect(part, name, result);
    add_counts(part, result);
    taken.push_back(part.engine().taken_nodes());
    result.factors.push_back(part.take_factors());
    const std::span<const Rank> members = part.mapping().members();
    if (!result.failure && !std::binary_search(members.begin(), members.end(), rank)) {
      const std::string left = left_behind(result.factors.back());
      complain(result, left.empty(), name + std::string(" has left and holds ").append(left));
    }
  }
  result.mapping = with_moved(symbolic->tree(), ranks[0]->mapping(), moved_subtrees(taken));
  complain(result, network.is_empty(), "messages are left over");
  for (FrontStore<S>* store : stores) {
    store->finish(0);
  }
  result.counts.refused_sends = network.num_refused();
  return result;
}

template VirtualRunResult<double> factorize_on_virtual_ranks(const std::shared_ptr<const Symbolic>&, Method,
                                                             const SparseMatrix<double>&, const Mapping&, const VirtualRun&,
                                                             const RankWatchers<double>&, const RankStores<double>&);
template VirtualRunResult<std::complex<double>> factorize_on_virtual_ranks(const std::shared_ptr<const Symbolic>&, Method,
                                                                           const SparseMatrix<std::complex<double>>&,
                                                                           const Mapping&, const VirtualRun&,
                                                                           const RankWatchers<std::complex<double>>&,
                                                                           const RankStores<std::complex<double>>&);

}  // namespace frond::test
