// SPDX-License-Identifier: BSD-3-Clause
// Implements in one process what the course of a solve needs.
#include "solver/local/local_backend.hpp"

#include <fmt/core.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

#include "factorization/ghosts/memory_estimate.hpp"
#include "factorization/kernels/blas_threads.hpp"
#include "factorization/scheduling/thread_arena.hpp"
#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "matrices/stop_request.hpp"
#include "solver/local/saved_local.hpp"
#include "solver/numerics/accuracy/backward_error.hpp"
#include "solver/numerics/accuracy/refine.hpp"
#include "solver/numerics/scaling/pivot_hints.hpp"
#include "solver/numerics/schur/schur_complement.hpp"
#include "solver/numerics/schur/schur_grid.hpp"
#include "solver/numerics/sweeps/factor_parts.hpp"
#include "solver/numerics/sweeps/forward_elimination.hpp"
#include "solver/numerics/sweeps/solve.hpp"
#include "solver/numerics/verdict/outcome.hpp"

namespace frond {

namespace {

// Takes one thread for few flops: waking another one takes longer.
SolverOptions with_worthwhile_threads(SolverOptions options, const Symbolic& symbolic, Method method) {
  constexpr double kFewFlops = 5e5;
  if (symbolic.estimate(method).front_flops < kFewFlops) {
    options.factorization.num_threads = 1;
  }
  return options;
}

}  // namespace

template <Scalar S>
LocalBackend<S>::LocalBackend(AnalysedSystem<S> system, SolverOptions options)
    : SystemBackend<S>(system, with_worthwhile_threads(std::move(options), *system.symbolic, system.method)),
      plan_(this->symbolic().tree()),
      analysed_(std::in_place, this->symbolic(), this->matrix(), this->method()),
      num_missing_(analysed_->num_missing()) {}

template <Scalar S>
LocalBackend<S>::LocalBackend(const AnalysisParts& analysis, const SystemMatrix<S>& matrix)
    : LocalBackend({analysis.symbolic, matrix, choose_method(matrix, analysis.options), {}}, analysis.options) {
  this->mutable_system().known_scales = on_threads(this->num_threads(), [&] { return analysis.scales_of<S>(analysed_->view()); });
}

template <Scalar S>
LocalBackend<S>::LocalBackend(std::shared_ptr<const Symbolic> symbolic, const SystemMatrix<S>& matrix, SolverOptions options,
                              Count num_missing, FactorizationState<S> state, std::optional<Factors<S>> factors,
                              std::optional<LowerFactors<S>> lower_factors)
    : SystemBackend<S>({symbolic, matrix, state.report.method, {}},
                       with_worthwhile_threads(std::move(options), *symbolic, state.report.method)),
      plan_(symbolic->tree()),
      num_missing_(num_missing),
      factors_(std::move(factors)),
      lower_factors_(std::move(lower_factors)) {
  this->state() = std::move(state);
}

template <Scalar S>
AnalysisParts LocalBackend<S>::analysis() const {
  return {.symbolic = this->shared_symbolic(), .method = this->report().method, .options = this->options()};
}

template <Scalar S>
void LocalBackend<S>::with_sides(const DenseRows<const S>& b, const DenseRows<S>& x,
                                 const std::function<void(const RankSides<S>& sides)>& work) {
  alone_.agree([&] {
    const WholeSides<S> sides(this->symbolic().order(), b, x);
    work(sides.view());
    sides.give();
  });
}

template <Scalar S>
std::vector<RankRunCounts> LocalBackend<S>::rank_counts() const {
  return {counts_of_one_process(this->report().factorization)};
}

// Factors have their own scales.
template <Scalar S>
void LocalBackend<S>::release_analysed() {
  analysed_.reset();
  this->state().scaling = std::make_shared<const Scaling<RealOf<S>>>();
}

// The options of a factorization in F.
template <Scalar S>
template <Scalar F>
FactorizationRunOptions LocalBackend<S>::options_of(const FactorizationWay& way) const {
  FactorizationRunOptions options = this->options().factorization;
  options.pivoting = way.pivoting;
  options.budget = way.budget;
  options.flushes_subnormals = may_flush_subnormals<F>(this->options().scaling);
  options.observer = this->options().observer.get();
  return options;
}

// Only fronts all of whose factors are kept can be written while others are computed.
template <Scalar S>
template <Scalar F>
FactorizationResult<F> LocalBackend<S>::factorize_values(const FactorizationWay& way, std::span<const F> values,
                                                         std::vector<RealOf<F>> rows, std::vector<RealOf<F>> cols,
                                                         const FactorizationRunOptions& options) {
  if (!this->checkpoint() || options.kept != KeptFactors::all) {
    return frond::factorize<F>(this->shared_symbolic(), way.method, values, std::move(rows), std::move(cols), options);
  }
  CheckpointAttempt<F> attempt(alone_, *this->checkpoint(), {this->symbolic(), way.method, options.pivoting, values, rows, cols});
  return attempt.run(this->state().report.checkpoint, [&](FrontStore<F>* store) {
    return frond::factorize<F>(this->shared_symbolic(), way.method, values, std::move(rows), std::move(cols), options,
                               {.store = store});
  });
}

template <Scalar S>
FactorizationReport LocalBackend<S>::factorize(const FactorizationWay& way, const Scaling<RealOf<S>>& scaling, KeptFactors kept) {
  FactorizationRunOptions options = options_of<S>(way);
  options.kept = kept;
  FactorizationResult<S> result = factorize_values<S>(way, analysed_->view().values, scaling.rows, scaling.cols, options);
  factors_ = std::move(result.factors);
  return std::move(result.report);
}

template <Scalar S>
FactorizationReport LocalBackend<S>::factorize_lower(const FactorizationWay& way, const Scaling<RealOf<S>>& scaling) {
  using L = LowerOf<S>;
  LowerResult<S> result = frond::factorize_lower<S>(analysed_->view(), scaling, [&](std::span<const L> values) {
    return factorize_values<L>(way, values, {}, {}, options_of<L>(way));
  });
  lower_factors_ = std::move(result.factors);
  return std::move(result.report);
}

template <Scalar S>
void LocalBackend<S>::release_factors() {
  factors_.reset();
  lower_factors_.reset();
}

template <Scalar S>
std::vector<ColumnReport> LocalBackend<S>::factorize_and_solve(
    const FactorizationWay& way, const Scaling<RealOf<S>>& scaling, const RankSides<S>& sides,
    const std::function<bool(const FactorizationReport&)>& wants_solution) {
  const bool has_solution = eliminate_and_solve(way, scaling, sides, wants_solution);
  return has_solution ? measure(scaling, sides.b.values, sides.x.values) : std::vector<ColumnReport>();
}

// Factors and eliminated right-hand sides are freed when it returns.
template <Scalar S>
bool LocalBackend<S>::eliminate_and_solve(const FactorizationWay& way, const Scaling<RealOf<S>>& scaling, const RankSides<S>& sides,
                                          const std::function<bool(const FactorizationReport&)>& wants_solution) {
  FactorizationRunOptions options = options_of<S>(way);
  options.kept = KeptFactors::backward;
  if (!options.memory) {
    options.memory = std::make_shared<RegionPool>(0);
  }
  const BlasThreadsGuard guard(number_of_threads(options.num_threads));
  tbb::task_arena arena(guard.num_threads());
  const SolvePlan plan(this->symbolic().tree(), TaskGraph(this->symbolic().tree(), way.method, sizeof(S)));
  std::optional<ForwardElimination<S>> elimination;
  arena.execute([&] {
    elimination.emplace(FactorFrame<S>{this->symbolic(), way.method, scaling.rows, scaling.cols, *options.memory}, plan,
                        sides.b.values);
  });
  const FactorizationResult<S> result = frond::factorize<S>(this->shared_symbolic(), way.method, analysed_->view().values,
                                                            scaling.rows, scaling.cols, options, {.watcher = &*elimination});
  const bool is_wanted = wants_solution(result.report);
  if (is_wanted) {
    arena.execute([&] { elimination->finish(*result.factors, sides.x.values); });
  }
  return is_wanted;
}

template <Scalar S>
std::vector<ColumnReport> LocalBackend<S>::measure(const Scaling<RealOf<S>>& scaling, DenseView<const S> b, DenseView<S> x) const {
  const auto order = static_cast<std::size_t>(b.rows);
  std::vector<ColumnReport> columns(static_cast<std::size_t>(b.cols));
  const BackwardErrorMeter<S> meter(this->matrix().stored, Operation::plain, scaling.cols);
  std::vector<S> residual(order);
  for (Index j = 0; j < b.cols; ++j) {
    columns[j] = meter.measure({b.column(j), order}, {x.column(j), order}, residual);
  }
  return columns;
}

template <Scalar S>
bool LocalBackend<S>::fits(Method method, KeptFactors kept) {
  const Count limit = this->options().factorization.memory_limit;
  return limit == 0 || estimate_memory(this->symbolic(), method, sizeof(S), 1, kept).least_bytes() <= limit;
}

template <Scalar S>
void LocalBackend<S>::analyse_as_a_whole() {
  AnalysisOptions& own = this->mutable_options().analysis;
  own.block_triangular = Use::never;
  AnalysisOptions analysis = own;
  analysis.method = this->method();
  analysis.ordering.num_threads = number_of_threads(this->num_threads());
  analysis.ordering.observer = this->options().observer.get();
  const MatrixView<S> whole = analysed();
  AnalysedSystem<S>& system = this->mutable_system();
  system.known_scales = {};  // those of levels do not apply
  FoundScales scales;
  PivotHints hints = pivot_hints(whole, this->method(), this->options(), scales);
  system.symbolic = analyze(whole.pattern, analysis, {hints.magnitudes, hints.lowest_threshold}, std::move(hints.blocks));
  plan_ = SolvePlan(system.symbolic->tree());
}

template <Scalar S>
std::unique_ptr<SystemBackend<S>> LocalBackend<S>::with_options(SolverOptions options, bool is_new) const {
  if (is_new) {
    std::unique_ptr<SystemBackend<S>> anew;
    alone_.agree([&] { anew = std::make_unique<LocalBackend>(analyze_system(this->matrix(), options), this->matrix()); });
    return anew;
  }
  std::unique_ptr<LocalBackend> other(
      new LocalBackend({this->shared_symbolic(), this->matrix(), this->method(), this->own_scales()}, std::move(options)));
  other->continue_checkpoint_of(*this);
  return other;
}

template <Scalar S>
std::span<const RealOf<S>> LocalBackend<S>::unknown_scales(Operation operation) const {
  const bool is_plain = operation == Operation::plain;
  if (lower_factors_) {
    const Scaling<RealOf<S>>& scaling = lower_factors_->scaling();
    return is_plain ? scaling.cols : scaling.rows;
  }
  return is_plain ? factors_->col_scaling() : factors_->row_scaling();
}

template <Scalar S>
void LocalBackend<S>::solve_with_all_levels(const Sweep<S>& sweep) const {
  const std::optional<CoupledLevels<S>>& levels = this->state().levels;
  if (!levels) {
    solve_with_level(kAllLevels, sweep);
    return;
  }
  try {
    for (BlockSubstitution<S> course(*levels, sweep); !course.ended(); course.take()) {
      solve_with_level(course.level(), course.sweep());
    }
  } catch (const std::bad_alloc&) {
    throw MemoryError(fmt::format("no memory for {} right-hand sides beside the solution: solve fewer at a time", sweep.x.cols), 0,
                      0);
  }
}

// The same for the factorized matrix, which excludes couplings of levels. X is zero outside of the level.
template <Scalar S>
void LocalBackend<S>::solve_with_level(Index level, const Sweep<S>& sweep) const {
  stop_if(this->options().observer.get());
  if (lower_factors_) {
    lower_factors_->solve(plan_, sweep.operation, sweep.x, this->num_threads());
    return;
  }
  const EliminatedTrees* trees = level == kAllLevels ? nullptr : &this->state().levels->trees(level);
  solve_with_factors<S>(*factors_, plan_, sweep, this->num_threads(), trees, [&](DenseView<S> rows) {
    this->schur_factor()->solve_rows(this->symbolic().schur_variables(), sweep.operation, rows);
  });
}

template <Scalar S>
void LocalBackend<S>::sweep(const Sweep<S>& sweep, const RankSides<S>& sides) {
  const DenseView<const S> b = sides.b.values;
  const DenseView<S> x = sides.x.values;
  alone_.agree([&] {
    for (Index j = 0; j < x.cols && b.data != x.data; ++j) {
      std::copy_n(b.column(j), b.rows, x.column(j));
    }
    for (Index begin = 0; begin < x.cols; begin += kSolveBlock) {
      solve_with_all_levels(sweep.of(x.columns(begin, std::min(x.cols, begin + kSolveBlock))));
    }
  });
}

template <Scalar S>
std::vector<ColumnReport> LocalBackend<S>::solve(Operation operation, const RankSides<S>& sides, SolvedColumns<S>& solved) {
  const DenseView<const S> b = sides.b.values;
  const DenseView<S> x = sides.x.values;
  const BackwardErrorMeter<S> meter(this->matrix().stored, operation, this->unknown_scales(operation));
  const RefinedSolve<S> refined{[this](const Sweep<S>& sweep) { solve_with_all_levels(sweep); }, operation, meter,
                                this->options().refinement, this->options().observer.get()};
  std::vector<ColumnReport> columns(static_cast<std::size_t>(sides.num_columns));
  for (Index begin = 0; begin < sides.num_columns; begin += kSolveBlock) {
    const Index end = std::min(sides.num_columns, begin + kSolveBlock);
    const std::span<ColumnReport> reports =
        std::span(columns).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    refined.run(b.columns(begin, end), x.columns(begin, end), reports);
  }
  const auto order = static_cast<std::size_t>(b.rows);
  for (Index j = 0; j < solved.num_wanted(); ++j) {
    solved.add({b.column(j), order}, {x.column(j), order});
  }
  return columns;
}

// Solves blocks of columns in parallel. A thread that waits within one block does not work on another: there is memory for one
// block per thread.
template <Scalar S>
bool LocalBackend<S>::find_entries(Operation operation, const PatternView& pattern, std::span<const InverseBlock> blocks,
                                   std::span<S> values) {
  if (needs_couplings(pattern)) {
    return false;
  }
  const BlasThreadsGuard guard(this->num_threads() > 0 ? this->num_threads() : tbb::info::default_concurrency());
  tbb::task_arena arena(guard.num_threads());
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t k) {
      tbb::this_task_arena::isolate([&] {
        stop_if(this->options().observer.get());
        const InverseBlock& block = blocks[k];
        const UnitVectors<S> units(this->matrix().order(), block.columns);
        DenseMatrix<S> x(static_cast<Index>(block.rows.size()), static_cast<Index>(block.columns.size()));
        solve_selected<S>(*factors_, plan_, operation, units.view(), block.rows, view_of(x));
        take_entries<S>(pattern, block, view_of(std::as_const(x)), values);
      });
    });
  });
  return true;
}

// Within a level, entries of the inverse are those of the level's inverse, and below it they are zero. Above, couplings contribute.
template <Scalar S>
bool LocalBackend<S>::needs_couplings(const PatternView& pattern) const {
  const BlockTriangularForm& blocks = this->symbolic().blocks();
  const auto at = [](const std::vector<Index>& levels, Index k) { return levels[k]; };
  for (Index column = 0; column < pattern.num_cols && this->state().levels; ++column) {
    for (auto e = static_cast<std::size_t>(pattern.column_offsets[column]);
         e < static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(column) + 1]); ++e) {
      const Index row = pattern.row_indices[e];
      const bool is_above = this->matrix().transposed ? at(blocks.level_of_column, column) < at(blocks.level_of_row, row)
                                                      : at(blocks.level_of_column, row) < at(blocks.level_of_row, column);
      if (is_above) {
        return true;
      }
    }
  }
  return false;
}

template <Scalar S>
DenseMatrix<S> LocalBackend<S>::schur_complement(bool is_of_a) {
  const Index order = this->symbolic().schur_order();
  try {
    if (!this->has_schur_complement()) {
      DenseMatrix<S> none(order, order);
      fill_with_nan(view_of(none));
      return none;
    }
    DenseMatrix<S> complement = schur_complement_of(*factors_);
    if (this->matrix().transposed && is_of_a) {
      transpose(complement);
    }
    return complement;
  } catch (const std::bad_alloc&) {
    const Count bytes = static_cast<Count>(order) * order * static_cast<Count>(sizeof(S));
    throw MemoryError(fmt::format("no memory for a Schur complement of order {}: {} bytes are needed; free some memory, raise the "
                                  "limit of the process, or keep fewer variables",
                                  order, bytes),
                      bytes, 0);
  }
}

template <Scalar S>
SchurPart<S> LocalBackend<S>::schur_part(const SchurGrid& grid) {
  (void)schur_grid_shape(grid, 1);
  SchurPart<S> part;
  part.grid = {grid.block_size, 1, 1};
  part.order = part.num_rows = part.num_cols = this->symbolic().schur_order();
  part.is_in_grid = true;
  part.entries = schur_complement(true).values;
  return part;
}

template <Scalar S>
FactorOrder<S> LocalBackend<S>::factor_order() const {
  return factor_order_of(*factors_, this->matrix().transposed);
}

template <Scalar S>
void LocalBackend<S>::save(const SavedTarget& target) {
  save_local(*this, target);
}

FROND_INSTANTIATE_CLASS(LocalBackend)

}  // namespace frond
