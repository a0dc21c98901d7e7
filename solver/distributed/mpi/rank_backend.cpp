// SPDX-License-Identifier: BSD-3-Clause
// Implements on several ranks what the course of a solve needs.
#include "solver/distributed/mpi/rank_backend.hpp"

#include <fmt/core.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "analysis/mapping/mapping_estimate.hpp"
#include "analysis/mapping/moved_subtrees.hpp"
#include "factorization/fronts/report_fields.hpp"
#include "factorization/kernels/blas_threads.hpp"
#include "factorization/recovery/recovery_plan.hpp"
#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "loadinfo/messages/message_fields.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "matrices/stop_request.hpp"
#include "solver/distributed/mpi/agreement.hpp"
#include "solver/distributed/mpi/options.hpp"
#include "solver/distributed/mpi/root_on_grid.hpp"
#include "solver/distributed/mpi/saved_ranks.hpp"
#include "solver/distributed/ranks/column_part.hpp"
#include "solver/distributed/ranks/rank_refined_solve.hpp"
#include "solver/distributed/ranks/rank_solve.hpp"
#include "solver/numerics/verdict/outcome.hpp"

namespace frond {
namespace {

constexpr Count kMainBuffer = Count{32} << 20;      // bytes in transit from a rank: many pieces of contribution blocks
constexpr Count kLoadBuffer = Count{1} << 20;       // load messages have a few tens of bytes
constexpr Count kCensusBytesPerRank = Count{4096};  // a question and a verdict

// Returns the sum of all ranks' reports, on every rank. For not_positive_definite, which all report alike, this rank's own.
FactorizationReport combined_report(const Communicator& ranks, const FactorizationReport& mine) {
  FactorizationReport whole;
  for (const std::vector<std::byte>& bytes : all_gather(ranks, encoded(mine))) {
    whole += decoded<FactorizationReport>(bytes);
  }
  return mine.status == FactorizationStatus::not_positive_definite ? mine : whole;
}

constexpr Index kNoBlock = -1;  // passed by a rank that has neither rows nor columns

// A rank's numbers of columns of B and of X.
struct Widths {
  Index b = kNoBlock;
  Index x = kNoBlock;
};

// Returns the common width of all blocks, 0 if there are none. Throws UsageError on all ranks alike if they differ.
Index common_width(const Communicator& ranks, Widths mine) {
  const std::vector<Widths> widths = all_gather_values(ranks, mine);
  Index common = kNoBlock;
  for (std::size_t rank = 0; rank < widths.size(); ++rank) {
    for (const Index width : {widths[rank].b, widths[rank].x}) {
      if (common == kNoBlock) {
        common = width;
      } else if (width != kNoBlock && width != common) {
        throw UsageError(
            fmt::format("rank {} passes {} columns of B or X where {} were passed before it: all ranks must pass as many, "
                        "or none at all",
                        rank, width, common));
      }
    }
  }
  return std::max(common, Index{0});
}

template <class S>
Index width_of(const DenseRows<S>& block) {
  return block.values.rows == 0 && block.values.cols == 0 ? kNoBlock : block.values.cols;
}

template <Scalar S>
AnalysedSystem<S> analysed_system(const DistributedSystem<S>& system) {
  return {system.symbolic(), system.matrix(), system.method(), system.known_scales()};
}

}  // namespace

template <Scalar S>
RankBackend<S>::RankBackend(std::shared_ptr<const DistributedSystem<S>> system, SolverOptions options)
    : SystemBackend<S>(analysed_system(*system), std::move(options)),
      system_(std::move(system)),
      team_(system_->ranks()),
      main_messages_(ranks().make_channel(kMainBuffer)),
      control_(ranks().make_channel(kCensusBytesPerRank * ranks().num_ranks())),
      load_(ranks().make_channel(kLoadBuffer)),
      counts_(static_cast<std::size_t>(ranks().num_ranks())) {}

template <Scalar S>
RankBackend<S>::RankBackend(std::shared_ptr<const DistributedSystem<S>> system) : RankBackend(system, system->options()) {}

template <Scalar S>
void RankBackend<S>::take(LoadedFactors loaded, FactorizationState<S> state) {
  mapping_ = std::move(loaded.mapping);
  factors_ = std::move(loaded.factors);
  lower_factors_ = std::move(loaded.lower_factors);
  this->state() = std::move(state);
}

template <Scalar S>
RankFactorizationOptions RankBackend<S>::options_of(const FactorizationWay& way, KeptFactors kept, bool flushes_subnormals) const {
  const FactorizationOptions& factorization = this->options().factorization;
  const SolverOptions& options = system_->options();
  RankFactorizationOptions result;
  result.pivoting = way.pivoting;
  result.num_threads = factorization.num_threads;
  result.memory_limit = factorization.memory_limit;
  result.memory_limit_reason = factorization.memory_limit_reason;
  result.largest_memory_limit = system_->largest_memory_limit();
  result.budget = way.budget;
  result.memory = factorization.memory;
  result.log = factorization.log;
  result.kept = kept;
  result.flushes_subnormals = flushes_subnormals;
  result.load_exchange = options.ranks.load_exchange;
  result.schedule = options.ranks.schedule;
  result.sharing = options.ranks.sharing;
  result.chunks = options.ranks.chunks;
  result.load_service = {.use_thread = options.ranks.use_load_thread,
                         .shortest_period = std::chrono::microseconds(options.ranks.load_period_us)};
  result.driver = {.watchdog_seconds = options.ranks.watchdog_seconds, .observer = this->options().observer.get()};
  result.ranks_may_leave = options.ranks.may_leave;
  return result;
}

// Uses values of any precision. The report is that of all ranks.
template <Scalar S>
template <Scalar F>
RankFactorizationResult<F> RankBackend<S>::factorize_values(const RankFactorizationOptions& options, Method method,
                                                            std::span<const F> values, std::span<const RealOf<F>> row_scaling,
                                                            std::span<const RealOf<F>> col_scaling,
                                                            const RankFrontPorts<F>& ports) {
  std::unique_ptr<RankFactorization<F>> factorization;
  team_.agree([&] {
    if (ports.store == nullptr) {
      mapping_ = mapping_of(method);
    }
    factorization = std::make_unique<RankFactorization<F>>(
        RankProblem<F>{this->shared_symbolic(), mapping_, method, values, row_scaling, col_scaling}, options,
        RankChannels{main_, *control_, *load_, ranks().gate().threads_may_call()}, ports);
  });
  const auto make_root = [&](const Mapping& mapping) {
    return make_root_solver<F>(ranks(), this->symbolic().tree(), mapping, method, factorization->null_pivot());
  };
  RankFactorizationResult<F> result = factorization->run(make_root(mapping_), make_root);
  result.report = combined_report(ranks(), result.report);
  if (is_odd(this->symbolic().row_of_column())) {
    result.report.determinant.negate();
  }
  counts_ = all_gather_values(ranks(), result.counts);
  mapping_ = result.mapping.value_or(mapping_);
  if (options.sharing != WorkSharing::fixed) {
    mapping_ = with_moved(this->symbolic().tree(), mapping_, moved_subtrees(all_gather_lists(ranks(), result.taken)));
  }
  return result;
}

// Ranks that left an earlier factorization take no part in this one.
template <Scalar S>
Mapping RankBackend<S>::mapping_of(Method method) const {
  return mapping_without(this->symbolic().tree(), method, system_->mapping(method), ranks_that_left(counts_));
}

template <Scalar S>
template <Scalar F>
RankFactorizationResult<F> RankBackend<S>::factorize_checkpointed(const RankFactorizationOptions& options, Method method,
                                                                  std::span<const F> values, std::span<const RealOf<F>> row_scaling,
                                                                  std::span<const RealOf<F>> col_scaling) {
  if (!this->checkpoint() || options.kept != KeptFactors::all) {
    return factorize_values<F>(options, method, values, row_scaling, col_scaling);
  }
  team_.agree([&] { mapping_ = mapping_of(method); });
  CheckpointAttempt<F> attempt(team_, *this->checkpoint(),
                               {this->symbolic(), method, options.pivoting, values, row_scaling, col_scaling},
                               {ranks().rank(), &mapping_, system_->mapping_options().min_slave_rows, system_->checkpoint_room()});
  RankFactorizationOptions left = options;
  attempt.take_room(left.memory_limit, left.memory_limit_reason);
  return attempt.run(this->state().report.checkpoint, [&](FrontStore<F>* store) {
    return factorize_values<F>(left, method, values, row_scaling, col_scaling, {.store = store});
  });
}

template <Scalar S>
FactorizationReport RankBackend<S>::factorize(const FactorizationWay& way, const Scaling<RealOf<S>>& scaling, KeptFactors kept) {
  RankFactorizationResult<S> result =
      factorize_checkpointed<S>(options_of(way, kept, may_flush_subnormals<S>(this->options().scaling)), way.method,
                                analysed().values, scaling.rows, scaling.cols);
  factors_ = std::move(result.factors);
  return std::move(result.report);
}

template <Scalar S>
FactorizationReport RankBackend<S>::factorize_lower(const FactorizationWay& way, const Scaling<RealOf<S>>& scaling) {
  using L = LowerOf<S>;
  const MatrixView<S> whole = analysed();
  LargeVector<L> values;
  team_.agree([&] { values = lower_values<S>(whole, scaling); });
  if (values.size() != whole.values.size()) {
    FactorizationReport overflow;
    overflow.status = FactorizationStatus::singular;
    return overflow;
  }
  RankFactorizationResult<L> result = factorize_checkpointed<L>(
      options_of(way, KeptFactors::all, may_flush_subnormals<L>(this->options().scaling)), way.method, values, {}, {});
  result.report.determinant = without_scaling(result.report.determinant, scaling);
  if (result.report.status == FactorizationStatus::success) {
    lower_factors_ = std::move(result.factors);
  }
  return std::move(result.report);
}

template <Scalar S>
void RankBackend<S>::release_factors() {
  factors_.reset();
  lower_factors_.reset();
}

template <Scalar S>
std::vector<ColumnReport> RankBackend<S>::factorize_and_solve(
    const FactorizationWay& way, const Scaling<RealOf<S>>& scaling, const RankSides<S>& sides,
    const std::function<bool(const FactorizationReport&)>& wants_solution) {
  std::optional<RankForwardElimination<S>> elimination;
  Mapping mapping;
  team_.agree([&] {
    mapping = mapping_of(way.method);
    elimination.emplace(this->symbolic(), mapping, ranks().rank(), sides.num_columns, this->options().factorization.num_threads);
  });
  run([&] {  // sends B to the masters
    return std::make_unique<RankSolve<S>>(
        UnfactorizedRankSystem<S>{this->symbolic(), mapping, scaling.rows, scaling.cols, &*elimination}, Sweep<S>{},
        RankSides<S>{sides.b, {}, sides.num_columns}, main_);
  });
  RankFactorizationResult<S> result =
      factorize_values<S>(options_of(way, KeptFactors::backward, may_flush_subnormals<S>(this->options().scaling)), way.method,
                          analysed().values, scaling.rows, scaling.cols, {.watcher = &*elimination});
  factors_ = std::move(result.factors);
  if (!wants_solution(result.report)) {
    return {};
  }
  std::optional<EliminatedSides<S>> eliminated;
  team_.agree([&] { eliminated = elimination->finish(*factors_); });
  const EliminatedRankSystem<S> half{{this->symbolic(), mapping, way.method, *factors_, scaling.rows, scaling.cols}, &*eliminated};
  SolvedColumns<S> none;
  return solve_and_measure(half, Operation::plain, scaling.cols, sides, {.max_steps = 0, .max_krylov_steps = 0}, none);
}

template <Scalar S>
bool RankBackend<S>::fits(Method method, KeptFactors kept) {
  char does_fit = 0;
  team_.agree([&] {
    const MappingEstimate estimate = estimate_mapping(this->symbolic().tree(), mapping_of(method), method, sizeof(S), kept);
    const RankEstimate& mine = estimate.ranks[ranks().rank()];
    const Count limit = this->options().factorization.memory_limit;
    does_fit = limit == 0 || mine.factor_bytes + mine.peak_active_bytes <= limit ? 1 : 0;
  });
  const std::vector<char> of_ranks = all_gather_values(ranks(), does_fit);
  return std::find(of_ranks.begin(), of_ranks.end(), 0) == of_ranks.end();
}

template <Scalar S>
void RankBackend<S>::analyse_as_a_whole() {
  this->mutable_options().analysis.block_triangular = Use::never;
  const SystemMatrix<S> whole = this->matrix();
  auto joined = std::make_shared<const DistributedSystem<S>>(ranks(), &whole, this->options());
  team_.follow(joined->ranks());
  system_ = std::move(joined);
  this->mutable_system() = analysed_system(*system_);
  this->mutable_options() = system_->options();  // with the memory limit for this analysis
}

template <Scalar S>
std::unique_ptr<SystemBackend<S>> RankBackend<S>::with_options(SolverOptions options, bool is_new) const {
  if (is_new) {
    return std::make_unique<RankBackend>(std::make_shared<const DistributedSystem<S>>(ranks(), &this->matrix(), options));
  }
  auto other = std::make_unique<RankBackend>(system_, std::move(options));
  other->set_known_scales(this->own_scales());
  other->continue_checkpoint_of(*this);
  return other;
}

template <Scalar S>
void RankBackend<S>::sweep(const Sweep<S>& sweep, const RankSides<S>& sides) {
  run([&] { return std::make_unique<RankSolve<S>>(solvable_system(), sweep, sides, main_); });
}

template <Scalar S>
FactorOrder<S> RankBackend<S>::factor_order() const {
  throw UsageError("where factors are spread over processes none knows the order of all: ask for it in one process");
}

template <Scalar S>
SolvableSystem<S> RankBackend<S>::solvable_system() const {
  const FactorizationState<S>& state = this->state();
  const auto whole = [&](const SolvableSystem<S>& of_levels) {
    return state.levels ? SolvableSystem<S>::coupled(of_levels, *state.levels) : of_levels;
  };
  const Method method = state.report.method;
  if (lower_factors_) {
    return whole(LowerRankSystem<S>{{this->symbolic(), mapping_, method, *lower_factors_, {}, {}}, state.scaling.get()});
  }
  const RankSystem<S> system{this->symbolic(), mapping_, method, *factors_, state.scaling->rows, state.scaling->cols};
  if (this->keeps_schur_complement()) {
    return SchurRankSystem<S>{system, this->schur_factor()};
  }
  return whole(system);
}

// Runs the program returned by make(), which may fail on one rank alone. Large products in it share the threads of an arena.
template <Scalar S>
void RankBackend<S>::run(const std::function<std::unique_ptr<SolveProgram<S>>()>& make) {
  std::optional<BlasThreadsGuard> guard;
  std::optional<tbb::task_arena> arena;
  std::unique_ptr<SolveProgram<S>> program;
  team_.agree([&] {
    stop_if(this->options().observer.get());
    guard.emplace(this->options().factorization.num_threads);
    arena.emplace(guard->num_threads());
    program = make();
  });
  CallQueue calls;
  WorkerPool no_workers(1, [](const std::exception_ptr&) {});
  RankDriver driver({main_, *control_, nullptr, no_workers, calls},
                    {.watchdog_seconds = system_->options().ranks.watchdog_seconds, .observer = this->options().observer.get()});
  arena->execute([&] { driver.run(*program); });
  if (program->failure()) {
    throw_failure(*program->failure());
  }
}

template <Scalar S>
std::vector<Index> RankBackend<S>::own_rows() const {
  const AssemblyTree& tree = this->symbolic().tree();
  const bool is_transposed = this->matrix().transposed;  // then unknowns are rows of what is stored
  const Permutation& variables = is_transposed ? this->symbolic().row_permutation() : this->symbolic().permutation();
  std::vector<Index> rows;
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    if (mapping_.master(node) == ranks().rank()) {
      const auto begin = variables.perm.begin() + tree.variable_begin(node);
      rows.insert(rows.end(), begin, begin + tree.num_fully_summed(node));
    }
  }
  return rows;
}

template <Scalar S>
void RankBackend<S>::with_sides(const DenseRows<const S>& b, const DenseRows<S>& x,
                                const std::function<void(const RankSides<S>& sides)>& work) {
  work({b, x, agree_on_columns(b, x)});
}

// Throws on all ranks alike.
template <Scalar S>
Index RankBackend<S>::agree_on_columns(const DenseRows<const S>& b, const DenseRows<S>& x) const {
  team_.agree([&] { check_rows(this->symbolic().order(), b, x); });
  return common_width(ranks(), {width_of(b), width_of(x)});
}

template <Scalar S>
std::vector<ColumnReport> RankBackend<S>::solve(Operation operation, const RankSides<S>& sides, SolvedColumns<S>& solved) {
  return solve_and_measure(solvable_system(), operation, this->unknown_scales(operation), sides, this->options().refinement,
                           solved);
}

// Refines as far as `refinement` allows.
template <Scalar S>
std::vector<ColumnReport> RankBackend<S>::solve_and_measure(const SolvableSystem<S>& system, Operation operation,
                                                            std::span<const RealOf<S>> unknown_scales, const RankSides<S>& sides,
                                                            const RefinementOptions& refinement, SolvedColumns<S>& solved) {
  std::optional<ColumnPart<S>> part;
  std::vector<ColumnReport> columns;
  run([&] {
    part.emplace(this->matrix().stored, ranks().rank(), ranks().num_ranks());
    columns.resize(static_cast<std::size_t>(sides.num_columns));
    return std::make_unique<RankRefinedSolve<S>>(system, this->matrix().stored, part->view(), operation, unknown_scales, sides,
                                                 columns, refinement, solved, main_, this->options().observer.get());
  });
  return columns;
}

template <Scalar S>
RankComplement<S> RankBackend<S>::complement() const {
  const FactorizationState<S>& state = this->state();
  return {ranks(),
          this->symbolic(),
          mapping_,
          state.report.method,
          this->has_schur_complement() ? &*factors_ : nullptr,
          this->matrix().transposed,
          state.scaling->rows,
          state.scaling->cols};
}

template <Scalar S>
void RankBackend<S>::save(const SavedTarget& target) {
  save_ranks(*this, target);
}

FROND_INSTANTIATE_CLASS(RankBackend)

}  // namespace frond
