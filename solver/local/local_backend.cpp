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

#include "factorization/factorize.hpp"
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
#include "solver/numerics/schur/kept_rows.hpp"
#include "solver/numerics/schur/schur_grid.hpp"
#include "solver/numerics/sweeps/factor_parts.hpp"
#include "solver/numerics/sweeps/forward_elimination.hpp"
#include "solver/numerics/sweeps/solve.hpp"
#include "solver/numerics/verdict/interior_system.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "solver/storage/checkpoint/checkpointed.hpp"

namespace frond {

namespace {

// Limits the threads of the factorization by the work of its factors.
SolverOptions with_worthwhile_threads(SolverOptions options, const Symbolic& symbolic, Method method) {
  constexpr Index kLargeOrder = 2000;
  if (symbolic.order() < kLargeOrder) {
    int& num_threads = options.factorization.num_threads;
    num_threads = worthwhile_threads(num_threads, symbolic.estimate(method).factor_entries);
  }
  return options;
}

}  // namespace

template <Scalar S>
LocalBackend<S>::LocalBackend(std::shared_ptr<const Symbolic> symbolic, const SystemMatrix<S>& matrix, SolverOptions options,
                              Method method)
    : SystemBackend<S>(with_worthwhile_threads(std::move(options), *symbolic, method)),
      symbolic_(std::move(symbolic)),
      matrix_(matrix),
      method_(method),
      plan_(symbolic_->tree()),
      analysed_(std::in_place, *symbolic_, matrix_, method_),
      num_missing_(analysed_->num_missing()) {}

template <Scalar S>
LocalBackend<S>::LocalBackend(const AnalysisParts& analysis, const SystemMatrix<S>& matrix)
    : LocalBackend(analysis.symbolic, matrix, analysis.options, choose_method(matrix, analysis.options)) {
  known_scales_ = analysis.scales_of<S>(analysed_->view().values);
}

template <Scalar S>
LocalBackend<S>::LocalBackend(std::shared_ptr<const Symbolic> symbolic, const SystemMatrix<S>& matrix, SolverOptions options,
                              Count num_missing, FactorizationState<S> state, std::optional<Factors<S>> factors,
                              std::optional<LowerFactors<S>> lower_factors)
    : SystemBackend<S>(with_worthwhile_threads(std::move(options), *symbolic, state.report.method)),
      symbolic_(std::move(symbolic)),
      matrix_(matrix),
      method_(state.report.method),
      plan_(symbolic_->tree()),
      num_missing_(num_missing),
      factors_(std::move(factors)),
      lower_factors_(std::move(lower_factors)) {
  this->state() = std::move(state);
}

template <Scalar S>
AnalysisParts LocalBackend<S>::analysis() const {
  return {.symbolic = symbolic_, .method = this->report().method, .options = this->options()};
}

template <Scalar S>
void LocalBackend<S>::on_threads(const std::function<void()>& work) const {
  frond::on_threads(num_threads(), work);
}

template <Scalar S>
void LocalBackend<S>::with_sides(const DenseRows<const S>& b, const DenseRows<S>& x,
                                 const std::function<void(const RankSides<S>& sides)>& work) {
  alone_.agree([&] {
    const WholeSides<S> sides(symbolic_->order(), b, x);
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

template <Scalar S>
void LocalBackend<S>::set_checkpoint(std::shared_ptr<CheckpointDirectory> directory) {
  checkpoint_ = std::move(directory);
}

// Only fronts all of whose factors are kept can be written while others are computed.
template <Scalar S>
template <Scalar F>
FactorizationResult<F> LocalBackend<S>::factorize_values(const FactorizationWay& way, std::span<const F> values,
                                                         std::vector<RealOf<F>> rows, std::vector<RealOf<F>> cols,
                                                         const FactorizationRunOptions& options) {
  if (checkpoint_ == nullptr || options.kept != KeptFactors::all) {
    return frond::factorize<F>(symbolic_, way.method, values, std::move(rows), std::move(cols), options);
  }
  return factorize_checkpointed<F>(symbolic_, way.method, values, std::move(rows), std::move(cols), options,
                                   {*checkpoint_, this->options().checkpoint, this->state().report.checkpoint});
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
  const SolvePlan plan(symbolic_->tree(), TaskGraph(symbolic_->tree(), way.method, sizeof(S)));
  std::optional<ForwardElimination<S>> elimination;
  arena.execute([&] {
    elimination.emplace(FactorFrame<S>{*symbolic_, way.method, scaling.rows, scaling.cols, *options.memory}, plan, sides.b.values);
  });
  const FactorizationResult<S> result = frond::factorize<S>(symbolic_, way.method, analysed_->view().values, scaling.rows,
                                                            scaling.cols, options, {.watcher = &*elimination});
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
  const BackwardErrorMeter<S> meter(matrix_.stored, Operation::plain, scaling.cols);
  std::vector<S> residual(order);
  for (Index j = 0; j < b.cols; ++j) {
    columns[static_cast<std::size_t>(j)] = meter.measure({b.column(j), order}, {x.column(j), order}, residual);
  }
  return columns;
}

template <Scalar S>
bool LocalBackend<S>::fits(Method method, KeptFactors kept) {
  const Count limit = this->options().factorization.memory_limit;
  return limit == 0 || estimate_memory(*symbolic_, method, sizeof(S), 1, kept).least_bytes() <= limit;
}

template <Scalar S>
void LocalBackend<S>::analyse_as_a_whole() {
  AnalysisOptions& own = this->mutable_options().analysis;
  own.block_triangular = Use::never;
  AnalysisOptions analysis = own;
  analysis.method = method_;
  analysis.ordering.num_threads = number_of_threads(num_threads());
  analysis.ordering.observer = this->options().observer.get();
  const MatrixView<S> whole = analysed();
  known_scales_ = {};  // those of levels do not apply
  FoundScales scales;
  PivotHints hints = pivot_hints(whole, method_, this->options(), scales);
  symbolic_ = analyze(whole.pattern, analysis, hints.magnitudes, std::move(hints.blocks));
  plan_ = SolvePlan(symbolic_->tree());
}

template <Scalar S>
std::unique_ptr<SystemBackend<S>> LocalBackend<S>::with_options(SolverOptions options) const {
  std::unique_ptr<LocalBackend> other(new LocalBackend(symbolic_, matrix_, std::move(options), method_));
  other->known_scales_ = known_scales_;
  if (checkpoint_ != nullptr) {
    other->set_checkpoint(checkpoint_);
  }
  return other;
}

template <Scalar S>
std::unique_ptr<SystemBackend<S>> LocalBackend<S>::analysed_anew(SolverOptions options) const {
  std::unique_ptr<SystemBackend<S>> anew;
  alone_.agree([&] { anew = std::make_unique<LocalBackend>(analyze_system(matrix_, options), matrix_); });
  return anew;
}

template <Scalar S>
std::span<const RealOf<S>> LocalBackend<S>::row_scaling() const {
  return lower_factors_ ? std::span<const RealOf<S>>(lower_factors_->scaling().rows) : factors_->row_scaling();
}

template <Scalar S>
std::span<const RealOf<S>> LocalBackend<S>::col_scaling() const {
  return lower_factors_ ? std::span<const RealOf<S>>(lower_factors_->scaling().cols) : factors_->col_scaling();
}

// X := a part of op(A)^-1 X.
template <Scalar S>
void LocalBackend<S>::solve_with_all_levels(SweepPart part, Operation operation, DenseView<S> x) const {
  const std::optional<CoupledLevels<S>>& levels = this->state().levels;
  if (!levels) {
    solve_with_level(kAllLevels, part, operation, x);
    return;
  }
  try {
    for (BlockSubstitution<S> course(*levels, part, operation, x); !course.ended(); course.take()) {
      solve_with_level(course.level(), course.part(), operation, course.sides());
    }
  } catch (const std::bad_alloc&) {
    throw MemoryError(fmt::format("no memory for {} right-hand sides beside the solution: solve fewer at a time", x.cols), 0, 0);
  }
}

// The same for the factorized matrix, which excludes couplings of levels. X is zero outside of the level.
template <Scalar S>
void LocalBackend<S>::solve_with_level(Index level, SweepPart part, Operation operation, DenseView<S> x) const {
  stop_if(this->options().observer.get());
  if (lower_factors_) {
    lower_factors_->solve(plan_, operation, x, num_threads());
  } else if (this->keeps_schur_complement()) {
    solve_around_schur<S>(*factors_, plan_, SweepPart::whole, operation, x, num_threads(), [&](DenseView<S> rows) {
      this->schur_factor()->solve_rows(symbolic_->schur_variables(), operation, rows);
      return true;
    });
  } else if (level != kAllLevels) {
    solve_with_trees(*factors_, plan_, this->state().levels->trees(level), part, operation, x, num_threads());
  } else {
    solve_with_part(*factors_, plan_, part, operation, x, num_threads());
  }
}

template <Scalar S>
void LocalBackend<S>::lead(const std::function<void(const SolvePart<S>& solve)>& work, SchurUse use) {
  const auto led = [&](const SolvePart<S>& solve) { alone_.agree([&] { work(solve); }); };
  if (use == SchurUse::expand) {
    led([this](SweepPart part, Operation operation, DenseView<S> x) {
      solve_around_schur<S>(*factors_, plan_, part, operation, x, num_threads(), [&](DenseView<S> unknowns) {
        set_rows_to_zero(symbolic_->schur_variables(), unknowns);
        return true;
      });
    });
    return;
  }
  led([this](SweepPart part, Operation operation, DenseView<S> x) {
    for (Index begin = 0; begin < x.cols; begin += kSolveBlock) {
      solve_with_all_levels(part, operation, x.columns(begin, std::min(x.cols, begin + kSolveBlock)));
    }
  });
}

template <Scalar S>
std::vector<ColumnReport> LocalBackend<S>::solve(Operation operation, const RankSides<S>& sides, SolvedColumns<S>& solved) {
  const DenseView<const S> b = sides.b.values;
  const DenseView<S> x = sides.x.values;
  const BackwardErrorMeter<S> meter(matrix_.stored, operation, this->unknown_scales(operation));
  RefinedSolve<S> refined{[this](Operation plain, DenseView<S> block) { solve_with_all_levels(SweepPart::whole, plain, block); },
                          operation, meter, this->options().refinement, num_threads()};
  refined.observer = this->options().observer.get();
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
void LocalBackend<S>::find_entries(Operation operation, const PatternView& pattern, std::span<const InverseBlock> blocks,
                                   std::span<S> values) {
  const BlasThreadsGuard guard(num_threads() > 0 ? num_threads() : tbb::info::default_concurrency());
  tbb::task_arena arena(guard.num_threads());
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t k) {
      tbb::this_task_arena::isolate([&] {
        stop_if(this->options().observer.get());
        const InverseBlock& block = blocks[k];
        const UnitVectors<S> units(matrix_.order(), block.columns);
        DenseMatrix<S> x(static_cast<Index>(block.rows.size()), static_cast<Index>(block.columns.size()));
        solve_selected<S>(*factors_, plan_, operation, units.view(), block.rows, view_of(x));
        take_entries<S>(pattern, block, view_of(std::as_const(x)), values);
      });
    });
  });
}

// Within a level, entries of the inverse are those of the level's inverse, and below it they are zero. Above, couplings contribute.
template <Scalar S>
bool LocalBackend<S>::may_find_entries(const PatternView& pattern) const {
  const BlockTriangularForm& blocks = symbolic_->blocks();
  const auto at = [](const std::vector<Index>& levels, Index k) { return levels[static_cast<std::size_t>(k)]; };
  for (Index column = 0; column < pattern.num_cols && this->state().levels; ++column) {
    for (auto e = static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(column)]);
         e < static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(column) + 1]); ++e) {
      const Index row = pattern.row_indices[e];
      const bool is_above = matrix_.transposed ? at(blocks.level_of_column, column) < at(blocks.level_of_row, row)
                                               : at(blocks.level_of_column, row) < at(blocks.level_of_row, column);
      if (is_above) {
        return false;
      }
    }
  }
  return true;
}

template <Scalar S>
CondensedSystem<S> LocalBackend<S>::condensed_system() const {
  return {this->has_schur_complement() ? &*factors_ : nullptr, *symbolic_, plan_, matrix_.transposed, num_threads()};
}

template <Scalar S>
SchurPart<S> LocalBackend<S>::schur_part(const SchurGrid& grid) {
  (void)schur_grid_shape(grid, 1);
  SchurPart<S> part;
  part.grid = {grid.block_size, 1, 1};
  part.order = part.num_rows = part.num_cols = symbolic_->schur_order();
  part.is_in_grid = true;
  part.entries = schur_complement().values;
  return part;
}

template <Scalar S>
void LocalBackend<S>::condense(const DenseRows<const S>& b, const DenseRows<S>& condensed, Operation operation) {
  alone_.agree([&] {
    const WholeRows<S> whole(symbolic_->order(), b, common_columns(b, condensed));
    DenseMatrix<S> all(symbolic_->schur_order(), whole.view().cols);
    condensed_system().condense(whole.view(), view_of(all), operation);
    copy_kept_rows<S>(symbolic_->schur_variables(), view_of(std::as_const(all)), condensed);
  });
}

template <Scalar S>
void LocalBackend<S>::expand(const DenseRows<const S>& b, const DenseRows<const S>& x2, const DenseRows<S>& x,
                             Operation operation) {
  alone_.agree([&] {
    const WholeSides<S> sides(symbolic_->order(), b, x);
    const RankSides<S> whole = sides.view();
    if (whole.num_columns == 0 && x.rows.empty()) {
      return;  // nothing is requested
    }
    const DenseMatrix<S> all = all_kept_rows<S>(symbolic_->schur_variables(), x2, whole.num_columns);
    if (this->state().levels) {
      solve_without_refinement(whole.b.values, whole.x.values, operation);
    } else {
      condensed_system().expand(whole.b.values, view_of(all), whole.x.values, operation);
    }
    sides.give();
  });
}

// For expand() when no variable is kept, and the factors are those of levels.
template <Scalar S>
void LocalBackend<S>::solve_without_refinement(DenseView<const S> b, DenseView<S> x, Operation operation) const {
  check_right_hand_sides(symbolic_->order(), b, x);
  const StoredOperation stored = stored_operation(matrix_.transposed, operation);
  for (Index j = 0; j < b.cols; ++j) {
    std::copy_n(b.column(j), b.rows, x.column(j));
  }
  const auto conjugate_if_stored_so = [&] {
    if (stored.conjugated) {
      conjugate_entries(x);
    }
  };
  conjugate_if_stored_so();
  for (Index begin = 0; begin < x.cols; begin += kSolveBlock) {
    solve_with_all_levels(SweepPart::whole, stored.operation, x.columns(begin, std::min(x.cols, begin + kSolveBlock)));
  }
  conjugate_if_stored_so();
}

template <Scalar S>
FactorOrder<S> LocalBackend<S>::factor_order() const {
  return factor_order_of(*factors_, matrix_.transposed);
}

template <Scalar S>
DenseMatrix<S> LocalBackend<S>::stored_schur_complement() {
  return schur_complement_of(*factors_);
}

template <Scalar S>
void LocalBackend<S>::save(const SavedTarget& target) {
  save_local(*this, target);
}

FROND_INSTANTIATE_CLASS(LocalBackend)

}  // namespace frond
