// SPDX-License-Identifier: BSD-3-Clause
// Puts the parts of one rank's factorization together: memory, tasks, numerics, load exchange, engine, event loop.
#include "factorization/rank_factorize.hpp"

#include <algorithm>
#include <utility>

#include "analysis/graph/permutation.hpp"
#include "analysis/mapping/mapping_estimate.hpp"
#include "factorization/front_numerics.hpp"
#include "factorization/kernels/blas_threads.hpp"
#include "factorization/kernels/cholesky.hpp"
#include "factorization/memory/memory_limit.hpp"
#include "factorization/ranks/exchange_options.hpp"
#include "factorization/ranks/leavers.hpp"
#include "factorization/ranks/posted_task_events.hpp"
#include "factorization/ranks/rank_engine.hpp"
#include "factorization/scheduling/thread_arena.hpp"
#include "matrices/steady_clock.hpp"

namespace frond {
namespace {

MemoryMeter make_meter(const RankFactorizationOptions& options, const WorkMeter& work) {
  const MemoryLimit limit{options.memory_limit, options.memory_limit_reason};
  return MemoryMeter(limit.bytes, limit.reason.empty() ? "the limit of each process is" : limit.whose(), &work, options.log.get());
}

}  // namespace

template <Scalar S>
struct RankFactorization<S>::Parts final : PlanInForce {
  Parts(RankProblem<S> what, RankFactorizationOptions how, const RankChannels& channels, const RankFrontPorts<S>& ports);
  ~Parts() override {
    pool.stop();
    if (store != nullptr) {
      store->finish(meter.free_bytes());  // what was handed over still exists
    }
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  [[nodiscard]] Count ahead_limit() const;
  [[nodiscard]] bool is_memory_scarce() const;
  [[nodiscard]] RankRunCounts run_counts() const;
  [[nodiscard]] bool may_leave() const;
  [[nodiscard]] WorkSharing sharing() const;
  Terms adopt(const RecoveryPlan& plan) override;

  RankProblem<S> system;
  RankFactorizationOptions options;
  FrontStore<S>* store;  // may be null
  bool is_watched;
  Rank me;
  FinishedNodes finished;
  Mapping mapping;  // in force
  TaskGraph graph;
  RankEstimate estimate;
  BlasThreadsGuard blas_guard;
  std::vector<RealOf<S>> rows;  // scalings by new numbers
  std::vector<RealOf<S>> cols;
  ScaledValues<S> matrix;
  PivotTolerances<RealOf<S>> tolerances;
  WorkMeter work;
  MemoryMeter meter;
  std::shared_ptr<RegionPool> regions;
  std::shared_ptr<FactorStorage> storage;
  ContributionArena arena;
  CallQueue calls;
  WorkerPool pool;
  FrontNumerics<S> numerics;
  CountedChannel& main;
  TrafficCounts earlier;  // on `main`, of other programs
  std::unique_ptr<LoadService> load;
  MoveFiles move_files;
  RankEngine engine;
  PostedTaskEvents events;
  RankDriver driver;
  Leavers leavers;
  MakeRoot make_root;
  double task_seconds = 0;
};

template <Scalar S>
RankFactorization<S>::Parts::Parts(RankProblem<S> what, RankFactorizationOptions how, const RankChannels& channels,
                                   const RankFrontPorts<S>& ports)
    : system(std::move(what)),
      options(std::move(how)),
      store(ports.store),
      is_watched(ports.watcher != nullptr),
      me(channels.main.rank()),
      finished(stored_nodes(system.symbolic->tree(), ports.store)),
      mapping(system.mapping),
      graph(system.symbolic->tree(), system.method, sizeof(S), mapping, options.kept, finished,
            {.tasks_move = sharing() != WorkSharing::fixed}),
      estimate(estimate_mapping(system.symbolic->tree(), mapping, system.method, sizeof(S), options.kept).ranks[me]),
      blas_guard(options.num_threads, 2 * (estimate.factor_bytes + estimate.peak_active_bytes)),  // twice: for delayed pivots
      rows(permuted<RealOf<S>>(system.row_scaling, system.symbolic->row_perm())),
      cols(permuted<RealOf<S>>(system.col_scaling, system.symbolic->permutation().perm)),
      matrix{system.values, rows, cols},
      tolerances(
          on_threads(blas_guard.num_threads(), [this] { return pivot_tolerances(*system.symbolic, matrix, options.pivoting); })),
      work(options.budget, system.symbolic->tree(), system.method),
      meter(make_meter(options, work)),
      regions(options.memory ? options.memory : std::make_shared<RegionPool>(0)),
      storage(std::make_shared<FactorStorage>(system.symbolic->tree(), system.method, sizeof(S), regions,
                                              [this](NodeId node) {
                                                return kept_shape(system.symbolic->tree(), node, shape_on(system.mapping, node, me),
                                                                  system.method, options.kept);
                                              })),
      arena(estimate.peak_active_bytes, meter, *regions),
      pool(blas_guard.num_threads(),
           [this](const std::exception_ptr& exception) {
             calls.post([this, failure = make_failure(me, exception)] { engine.fail(failure); });
           }),
      numerics({{*system.symbolic, graph, system.method, matrix, tolerances, *storage, arena, meter, work, options.kept,
                 ports.store, me},
                *regions,
                is_memory_scarce(),
                pool,
                estimate.flops,
                ports.watcher,
                ports.watcher,
                options.flushes_subnormals && ports.watcher == nullptr,
                options.driver.observer,
                options.log.get()}),
      main(channels.main),
      earlier(main.counts()),
      load(make_load_service(options.load_service, channels.load, exchange_options(options.load_exchange, graph, mapping),
                             channels.threads_may_call, [this] { calls.wake(); })),
      engine({system.symbolic->tree(), system.method, sizeof(S), graph, mapping, numerics, numerics.fronts(), main, *load,
              may_leave() ? RankRecovery{this, &numerics.fronts(), &move_files} : RankRecovery{}, finished},
             {.tasks = {.rank = me, .max_active = pool.num_workers(), .ahead_limit_bytes = ahead_limit()},
              .selection = {.schedule = options.schedule,
                            .memory_limit = std::max(options.memory_limit, options.largest_memory_limit)},
              .planned_peak_bytes = estimate.peak_active_bytes,
              .sharing = sharing(),
              .follows_paces = sharing() != WorkSharing::fixed,
              .chunks = options.chunks,
              .clock = steady_seconds}),
      events(calls, engine),
      driver({main, channels.control, load.get(), pool, calls}, options.driver),
      leavers(engine, may_leave() && me == 0 ? options.driver.observer : nullptr) {
  numerics.set_events(events);
  numerics.restore_stored_fronts();
}

template <Scalar S>
bool RankFactorization<S>::Parts::may_leave() const {
  return options.ranks_may_leave && options.kept == KeptFactors::all && !is_watched;
}

template <Scalar S>
WorkSharing RankFactorization<S>::Parts::sharing() const {
  return options.kept == KeptFactors::all && !is_watched ? options.sharing : WorkSharing::fixed;
}

template <Scalar S>
PlanInForce::Terms RankFactorization<S>::Parts::adopt(const RecoveryPlan& plan) {
  const AssemblyTree& tree = system.symbolic->tree();
  TaskGraph next(tree, system.method, sizeof(S), plan.mapping, options.kept, plan.finished,
                 {.tasks_move = sharing() != WorkSharing::fixed});
  numerics.fronts().renumber(next, plan.shares);
  if (const RootGrid& grid = plan.mapping.root_grid(); grid.ranks != mapping.root_grid().ranks) {
    const bool is_in = std::binary_search(grid.ranks.begin(), grid.ranks.end(), me);
    numerics.set_root(nullptr, is_in ? typename FrontNumerics<S>::MakeRoot([this] { return make_root(mapping); }) : nullptr);
  }
  graph = std::move(next);
  mapping = plan.mapping;
  estimate = estimate_mapping(tree, mapping, system.method, sizeof(S), options.kept).ranks[me];
  return {ahead_limit(), estimate.peak_active_bytes};
}

// Returns the bytes that tasks may hold ahead of their turn, beyond the peak of a run in order.
template <Scalar S>
Count RankFactorization<S>::Parts::ahead_limit() const {
  const Count planned = estimate.factor_bytes + estimate.peak_active_bytes;
  return options.memory_limit > 0 ? std::max<Count>(0, options.memory_limit - planned) : -1;
}

// True if there is no room for a second peak: regions of workspaces are then not kept.
template <Scalar S>
bool RankFactorization<S>::Parts::is_memory_scarce() const {
  return options.memory_limit > 0 && ahead_limit() < estimate.peak_active_bytes;
}

template <Scalar S>
RankRunCounts RankFactorization<S>::Parts::run_counts() const {
  RankRunCounts counts;
  counts.flops_assigned = estimate.flops;
  counts.flops_done = numerics.report().flops;
  counts.peak_active_bytes = meter.peak_active();
  counts.peak_bytes = meter.peak();
  counts.main = main.counts();
  counts.main -= earlier;
  const LoadServiceCounts of_load = load->counts();
  counts.load_sent = of_load.sent;
  counts.load_received = of_load.num_received;
  counts.task_seconds = task_seconds;
  counts.snapshot_seconds = of_load.blocked_seconds;
  counts.load_thread_cpu_seconds = of_load.cpu_seconds;
  counts.engine = engine.counts();
  counts.engine.records = engine.record();
  counts.seconds_at_rest = leavers.seconds_at_rest();
  counts.has_left = !std::binary_search(mapping.members().begin(), mapping.members().end(), me);
  return counts;
}

template <Scalar S>
RankFactorization<S>::RankFactorization(RankProblem<S> system, RankFactorizationOptions options, const RankChannels& channels,
                                        const RankFrontPorts<S>& ports)
    : parts_(std::make_unique<Parts>(std::move(system), std::move(options), channels, ports)) {}

template <Scalar S>
RankFactorization<S>::~RankFactorization() = default;

template <Scalar S>
RealOf<S> RankFactorization<S>::null_pivot() const {
  return parts_->tolerances.null;
}

template <Scalar S>
RankFactorizationResult<S> RankFactorization<S>::run(std::shared_ptr<RootSolver<S>> root, MakeRoot make_root) {
  Parts& parts = *parts_;
  parts.make_root = std::move(make_root);
  parts.numerics.set_root(std::move(root));
  const double begin = steady_seconds();
  parts.driver.run(parts.engine, [&parts] { parts.leavers.look(steady_seconds()); });
  parts.task_seconds = steady_seconds() - begin;
  RankFactorizationResult<S> result;
  if (const std::optional<Failure>& failure = parts.engine.failure()) {
    if (failure->kind != Failure::Kind::not_positive_definite) {
      throw_failure(*failure);
    }
    result.report.status = FactorizationStatus::not_positive_definite;
    result.report.null_pivots = {parts.system.symbolic->permutation().perm[failure->variable]};
    result.counts = parts.run_counts();
    return result;
  }
  result.report = parts.numerics.report();
  result.report.peak_bytes = parts.meter.peak();
  result.report.num_workers_seen = parts.pool.num_workers_seen();
  result.counts = parts.run_counts();
  result.factors = parts.numerics.take_factors(parts.storage);
  if (parts.engine.record() > 0) {
    result.mapping = parts.mapping;
  }
  result.taken = parts.engine.taken_nodes();
  return result;
}

FROND_INSTANTIATE_CLASS(RankFactorization)

}  // namespace frond
