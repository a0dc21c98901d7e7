// SPDX-License-Identifier: BSD-3-Clause
// The way of a linear system through the phases.
#include "solver/factorization.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "factorization/kernels/matrix_view.hpp"
#include "factorization/scheduling/thread_arena.hpp"
#include "loadinfo/load_server.hpp"
#include "matrices/build.hpp"
#include "matrices/dense_matrix.hpp"
#include "matrices/error.hpp"
#include "matrices/symmetry.hpp"
#include "solver/accuracy/backward_error.hpp"
#include "solver/accuracy/condition.hpp"
#include "solver/accuracy/corrected_solve.hpp"
#include "solver/accuracy/error_bound.hpp"
#include "solver/accuracy/refine.hpp"
#include "solver/answers/consistency.hpp"
#include "solver/problem/analysed_matrix.hpp"
#include "solver/scaling/scaling.hpp"
#include "solver/schur/schur_complement.hpp"
#include "solver/schur/schur_front.hpp"
#include "solver/verdict/outcome.hpp"
#include "solver/verdict/runaway.hpp"

namespace frond {
namespace {

// True when every diagonal entry is stored and its real part is positive: necessary for A to be positive definite.
template <Scalar S>
bool has_positive_diagonal(const MatrixView<S>& matrix) {
  const PatternView& pattern = matrix.pattern;
  for (Index j = 0; j < pattern.num_cols; ++j) {
    const auto begin = pattern.row_indices.begin() + pattern.column_offsets[static_cast<std::size_t>(j)];
    const auto end = pattern.row_indices.begin() + pattern.column_offsets[static_cast<std::size_t>(j) + 1];
    const auto diagonal = std::find(begin, end, j);
    if (diagonal == end || !(std::real(matrix.values[static_cast<std::size_t>(diagonal - pattern.row_indices.begin())]) > 0)) {
      return false;
    }
  }
  return true;
}

template <Scalar S>
bool may_be_positive_definite(Symmetry symmetry) {
  return symmetry == Symmetry::hermitian || (symmetry == Symmetry::symmetric && !kIsComplex<S>);
}

template <Scalar S>
void check_method(Method method, Symmetry symmetry) {
  const bool is_symmetric_kind = symmetry == Symmetry::symmetric || symmetry == Symmetry::hermitian;
  const bool fits = method == Method::lu || (method == Method::cholesky && may_be_positive_definite<S>(symmetry)) ||
                    (is_symmetric_kind && method == indefinite_method<S>(symmetry));
  if (!fits) {
    throw UsageError(fmt::format("the method {} does not apply to a {} {} matrix; leave the method to Frond", to_string(method),
                                 kIsComplex<S> ? "complex" : "real", to_string(symmetry)));
  }
}

}  // namespace

template <Scalar S>
Method choose_method(const SystemMatrix<S>& matrix, const SolverOptions& options) {
  const Symmetry symmetry = matrix.stored.pattern.symmetry;
  if (options.method) {
    check_method<S>(*options.method, symmetry);
    return *options.method;
  }
  if (symmetry == Symmetry::general || symmetry == Symmetry::skew_symmetric) {
    return Method::lu;
  }
  const bool tries_cholesky = may_be_positive_definite<S>(symmetry) && has_positive_diagonal(matrix.stored);
  return tries_cholesky ? Method::cholesky : indefinite_method<S>(symmetry);
}

template <Scalar S>
std::shared_ptr<const Symbolic> analyze(const SystemMatrix<S>& matrix, const SolverOptions& options) {
  check_system(matrix);
  AnalysisOptions analysis = options.analysis;
  analysis.method = choose_method(matrix, options);
  analysis.ordering.num_threads = number_of_threads(options.factorization.num_threads);
  const auto analyze_entries = [&](const MatrixView<S>& entries) {
    return analyze(entries.pattern, analysis, on_threads(options.factorization.num_threads, [&] {
                     return magnitudes_for_pivots(entries, *analysis.method, options);
                   }));
  };
  if (needs_expansion(matrix.stored.pattern.symmetry, *analysis.method)) {
    const SparseMatrix<S> whole = expand_to_general(matrix.stored);
    return analyze_entries(whole.view());
  }
  return analyze_entries(matrix.stored);
}

template <Scalar S>
Factorization<S>::Factorization(std::shared_ptr<const Symbolic> symbolic, const SystemMatrix<S>& matrix, SolverOptions options)
    : symbolic_(std::move(symbolic)), options_(std::move(options)), matrix_(matrix), plan_(symbolic_->tree()) {
  check_system(matrix_);
  check_schur_variables(options_.analysis.schur_variables, *symbolic_);
  check_schur_pivoting(options_.factorization.pivoting, symbolic_->schur_order());
  check_schur_precision(options_.precision == Precision::mixed, symbolic_->schur_order());
  check_kept_options(options_);
  on_threads(options_.factorization.num_threads, [&] { factorize_matrix(choose_method(matrix_, options_)); });
  scalings_ = {};
}

template <Scalar S>
void Factorization<S>::factorize_matrix(Method method) {
  const AnalysedMatrix<S> analysed(*symbolic_, matrix_, method);
  const MatrixView<S> whole = analysed.view();
  note_missing_entries(analysed.num_missing(), report_);
  note_levels(whole.values);
  if (options_.precision == Precision::mixed) {
    check_mixed<S>();
    if (factorize_in_lower(method, whole)) {
      return;
    }
  }
  const std::vector<std::string> notes = report_.notes;
  factorize_in_full(method, whole);
  if (levels_ && report_.factorization.status != FactorizationStatus::singular) {
    prove_rank(whole);
  }
  if (levels_ && is_rank_open(report_)) {
    report_.notes = notes;
    join_levels(method, whole);
    factorize_in_full(method, whole);
  }
  if (!levels_) {
    prove_rank(whole);
  }
}

template <Scalar S>
void Factorization<S>::prove_rank(const MatrixView<S>& whole) {
  const Index schur_order = symbolic_->schur_order();
  const bool is_wanted = factors_ && wants_proof<S>(report_.factorization);
  if (!is_wanted) {
    presume_rank(report_, matrix_.order() - schur_order,
                 schur_order > 0 ? matrix_.order() - schur_order : symbolic_->structural_rank());
    return;
  }
  const ProofPort<S> port{.factorize =
                              [&](const FactorizationWay& way) {
                                factors_.reset();  // there may be no room for both
                                factorize_with(way, whole);
                              },
                          .has_factors = [&] { return factors_.has_value(); },
                          .examine = [&](const auto& look) { return examine(whole, look); }};
  ProofQuestion question{
      .order = matrix_.order(),
      .structural_rank = interior_structural_rank(whole, *symbolic_),
      .first = way_,
      .has_choice = may_choose_null_pivots(options_.factorization.pivoting, report_.method, options_.method) && !levels_,
      .may_rescale = options_.scaling.kind == ScalingKind::automatic,
      .measures_solutions = schur_order == 0,
      .last_budget = budget_of_attempt<S>(*symbolic_, report_.method, options_.factorization.budget),
      .num_threads = options_.factorization.num_threads};
  question.first.budget = question.last_budget;
  if (!frond::prove_rank(report_, options_.factorization.kept, question, port)) {
    factors_.reset();
    if (schur_order > 0 && report_.factorization.status == FactorizationStatus::success) {
      leave_complement_alone(whole);
    }
  }
  report_.rank = rank_of_interior(report_.rank, schur_order);
}

// Makes the complement once more, as the factors that the proof has led to have it; the report stays theirs.
template <Scalar S>
void Factorization<S>::leave_complement_alone(const MatrixView<S>& whole) {
  const SystemReport proved = report_;
  way_.budget = {};  // what it takes is known, and was there
  factorize_with(way_, whole);
  report_ = proved;
}

template <Scalar S>
ProofEvidence Factorization<S>::examine(const MatrixView<S>& whole,
                                        const std::function<ProofEvidence(const ScaledSystem<S>&)>& look) const {
  const std::span<const RealOf<S>> rows = unknown_scales(Operation::transposed);
  const std::span<const RealOf<S>> cols = unknown_scales(Operation::plain);
  if (!keeps_schur_complement()) {
    return look({whole, rows, cols, solve_parts_in_place()});
  }
  const InteriorSystem<S> interior = interior_system(whole, *symbolic_, rows, cols);
  const SolvePart<S> solve = interior.solve_by([this](SweepPart part, Operation operation, DenseView<S> x) {
    solve_around_schur<S>(*factors_, plan_, part, operation, x, options_.factorization.num_threads, [&](DenseView<S> unknowns) {
      set_rows_to_zero(symbolic_->schur_variables(), unknowns);
      return true;
    });
  });
  return look({interior.view(), rows, cols, solve});
}

// Where it splits; `values` are those of the analysed entries.
template <Scalar S>
void Factorization<S>::note_levels(std::span<const S> values) {
  if (symbolic_->blocks().splits()) {
    levels_.emplace(*symbolic_, plan_, values);
  }
}

template <Scalar S>
void Factorization<S>::factorize_in_full(Method method, const MatrixView<S>& whole) {
  factorize_with(method, whole);
  if (report_.factorization.status == FactorizationStatus::not_positive_definite && !options_.method) {
    const Method fallback = indefinite_method<S>(matrix_.stored.pattern.symmetry);
    report_.notes.push_back(fallback_note(report_.factorization, fallback));
    factorize_with(fallback, whole);
  }
  note_perturbations(report_);
  note_structural_singularity(*symbolic_, whole, report_);
  look_for_hidden_singularity(whole);
}

// The rank of a matrix is not the sum of the ranks of its blocks: analyses all of it, without blocks.
template <Scalar S>
void Factorization<S>::join_levels(Method method, const MatrixView<S>& whole) {
  factors_.reset();
  levels_.reset();
  options_.analysis.block_triangular = BlockTriangularUse::never;
  AnalysisOptions analysis = options_.analysis;
  analysis.method = method;
  analysis.ordering.num_threads = number_of_threads(options_.factorization.num_threads);
  symbolic_ = analyze(whole.pattern, analysis, magnitudes_for_pivots(whole, method, options_));
  scalings_ = {};
  plan_ = SolvePlan(symbolic_->tree());
  report_.notes.emplace_back(kJoinedLevelsNote);
}

// What is not proved are factors with perturbed pivots: estimates the condition, since these make it doubtful.
template <Scalar S>
void Factorization<S>::look_for_hidden_singularity(const MatrixView<S>& whole) {
  if (report_.factorization.num_perturbed_pivots > 0 && keeps_factors() &&
      report_.factorization.status == FactorizationStatus::success) {
    note_condition<S>(estimate_equilibrated_condition(whole), report_);
  }
}

template <Scalar S>
ConditionEstimate Factorization<S>::estimate_equilibrated_condition(const MatrixView<S>& whole) const {
  const SolveInPlace<S> solve = keeps_schur_complement() ? condensed_system().interior_solve() : solve_in_place();
  const std::span<const RealOf<S>> rows = unknown_scales(Operation::transposed);
  const std::span<const RealOf<S>> cols = unknown_scales(Operation::plain);
  if (has_neighbours_factors()) {
    return estimate_corrected_condition<S>(whole, rows, cols, solve);
  }
  return {estimate_scaled_condition<S>(whole, rows, cols, solve)};
}

template <Scalar S>
SolveInPlace<S> Factorization<S>::solve_in_place() const {
  return [this](Operation operation, DenseView<S> x) { solve_with_all_levels(SweepPart::whole, operation, x); };
}

// X := a part of op(A)^-1 X.
template <Scalar S>
void Factorization<S>::solve_with_all_levels(SweepPart part, Operation operation, DenseView<S> x) const {
  if (!levels_) {
    solve_with_level(kAllLevels, part, operation, x);
    return;
  }
  try {
    for (BlockSubstitution<S> course(*levels_, part, operation, x); !course.ended(); course.take()) {
      solve_with_level(course.level(), course.part(), operation, course.sides());
    }
  } catch (const std::bad_alloc&) {
    throw MemoryError(fmt::format("no memory for {} right-hand sides beside the solution: solve fewer at a time", x.cols), 0, 0);
  }
}

// The same of what is factorized, which leaves out couplings of levels. X is zero outside of the level.
template <Scalar S>
void Factorization<S>::solve_with_level(Index level, SweepPart part, Operation operation, DenseView<S> x) const {
  const int num_threads = options_.factorization.num_threads;
  if (lower_factors_) {
    lower_factors_->solve(plan_, operation, x, num_threads);
  } else if (keeps_schur_complement()) {
    solve_around_schur<S>(*factors_, plan_, SweepPart::whole, operation, x, num_threads, [&](DenseView<S> rows) {
      dense_schur().solve_rows(symbolic_->schur_variables(), operation, rows);
      return true;
    });
  } else if (level != kAllLevels) {
    solve_with_trees(*factors_, plan_, levels_->trees(level), part, operation, x, num_threads);
  } else {
    solve_with_part(*factors_, plan_, part, operation, x, num_threads);
  }
}

template <Scalar S>
std::span<const RealOf<S>> Factorization<S>::unknown_scales(Operation operation) const {
  if (lower_factors_) {
    return unknown_scaling(lower_factors_->scaling(), operation);
  }
  return operation == Operation::plain ? factors_->col_scaling() : factors_->row_scaling();
}

template <Scalar S>
template <Scalar F>
FactorizationOptions Factorization<S>::factorization_options() const {
  FactorizationOptions options = options_.factorization;
  options.flushes_subnormals = may_flush_subnormals<F>(options_.scaling);
  return options;
}

// False, with a note, if the matrix needs full precision.
template <Scalar S>
bool Factorization<S>::factorize_in_lower(Method method, const MatrixView<S>& whole) {
  const Scaling<RealOf<S>>& scaling = scalings_.of_kind(whole, options_.scaling, symbolic_->row_of_column());
  FactorizationOptions options = factorization_options<LowerOf<S>>();
  options.budget = budget_of_attempt<LowerOf<S>>(*symbolic_, method, options.budget);
  LowerResult<S> result;
  try {
    result = factorize_lower<S>(symbolic_, method, whole, scaling, options);
  } catch (const MemoryError&) {  // delayed pivots, perhaps, of which there are fewer in full precision
  } catch (const BudgetError&) {  // delayed pivots again
  }
  if (result.report.status == FactorizationStatus::not_positive_definite && !options_.method) {
    const Method indefinite = indefinite_method<S>(matrix_.stored.pattern.symmetry);
    const bool has_factors = factorize_in_lower(indefinite, whole);
    if (has_factors) {
      report_.notes.push_back(fallback_note(result.report, indefinite));
    }
    return has_factors;
  }
  lower_factors_ = std::move(result.factors);
  ConditionEstimate estimate;
  if (lower_factors_ && may_hide_singularity<LowerOf<S>>(result.report)) {
    estimate = estimate_equilibrated_condition(whole);
  }
  if (const std::optional<std::string> note = lower_precision_note<S>(lower_factors_.has_value(), estimate)) {
    report_.notes.push_back(*note);
    lower_factors_.reset();
    return false;
  }
  report_.method = method;
  report_.is_mixed = true;
  report_.equilibrated_condition = estimate.condition;
  report_.scaling = scaling.kind;
  report_.equilibration_sweeps = scaling.num_sweeps;
  report_.factorization = std::move(result.report);
  note_perturbations(report_);
  note_structural_singularity(*symbolic_, whole, report_);
  fallback_ = std::make_unique<Fallback>();
  presume_rank(report_, matrix_.order(), symbolic_->structural_rank());
  return true;
}

template <Scalar S>
const Factorization<S>* Factorization<S>::fallback() const {
  if (!fallback_) {
    return nullptr;
  }
  const std::lock_guard lock(fallback_->mutex);
  return fallback_->full.get();
}

// Other threads may be solving with the factors of lower precision: they stay, and count against the limit.
template <Scalar S>
void Factorization<S>::make_fallback() const {
  const std::lock_guard lock(fallback_->mutex);
  if (!fallback_->full) {
    SolverOptions options = options_;
    options.precision = Precision::full;
    options.factorization.progress = {};  // whoever watched the factorization may be gone
    Count& limit = options.factorization.memory_limit;
    if (limit > 0) {
      limit = std::max(limit - report_.factorization.factor_bytes, kNoMemoryIsLeft);
    }
    fallback_->full = std::make_unique<Factorization>(symbolic_, matrix_, options);
  }
}

template <Scalar S>
SolveReport Factorization<S>::solve_in_full(DenseView<const S> b, DenseView<S> x, Operation operation, ErrorBounds bounds) const {
  SolveReport report = fallback()->solve_and_bound(b, x, operation, bounds);
  report.notes.insert(report.notes.begin(), kMixedFailedNote);
  return report;
}

template <Scalar S>
FactorizationWay Factorization<S>::asked_way(Method method) const {
  FactorizationWay way{.method = method,
                       .pivoting = options_.factorization.pivoting,
                       .scaling = options_.scaling.kind,
                       .budget = options_.factorization.budget};
  way.pivoting.may_lower_threshold = way.pivoting.may_lower_threshold && keeps_factors() && !keeps_schur_complement();
  return way;
}

template <Scalar S>
void Factorization<S>::factorize_with(Method method, const MatrixView<S>& whole) {
  const auto fits = [&] {
    const FactorizationOptions& options = options_.factorization;
    const Count limit = options.memory_limit;
    return limit == 0 || estimate_memory(*symbolic_, method, sizeof(S), 1, options.kept).least_bytes() <= limit;
  };
  try {
    factorize_on_a_way(
        asked_way(method), delay_limits<S>(*symbolic_, method, fits), report_,
        [&](const FactorizationWay& way) { factorize_with(way, whole); }, !keeps_schur_complement());
  } catch (const MemoryError& error) {
    factors_.reset();
    report_.factorization = structural_verdict(whole, error, report_.notes);
  }
}

template <Scalar S>
void Factorization<S>::factorize_with(const FactorizationWay& way, const MatrixView<S>& whole) {
  way_ = way;
  ScalingOptions scaling_options = options_.scaling;
  scaling_options.kind = way.scaling;
  const Scaling<RealOf<S>>& scaling = scalings_.of_kind(whole, scaling_options, symbolic_->row_of_column());
  FactorizationOptions options = factorization_options<S>();
  options.pivoting = way.pivoting;
  options.budget = way.budget;
  if (keeps_schur_complement()) {
    note_schur_tolerances(whole, scaling);
  }
  report_.method = way.method;
  report_.scaling = scaling.kind;
  report_.equilibration_sweeps = scaling.num_sweeps;
  FactorizationResult<S> result = factorize<S>(symbolic_, way.method, whole.values, scaling.rows, scaling.cols, options);
  factors_ = std::move(result.factors);
  report_.is_singular_by_condition = false;
  report_.equilibrated_condition = std::numeric_limits<double>::quiet_NaN();
  report_.factorization = std::move(result.report);
}

// Of the scaled matrix whose Schur complement may be factorized later.
template <Scalar S>
void Factorization<S>::note_schur_tolerances(const MatrixView<S>& whole, const Scaling<RealOf<S>>& scaling) {
  const std::vector<RealOf<S>> rows = permuted<RealOf<S>>(scaling.rows, symbolic_->row_perm());
  const std::vector<RealOf<S>> cols = permuted<RealOf<S>>(scaling.cols, symbolic_->permutation().perm);
  schur_ = std::make_unique<DenseSchur>();
  schur_->tolerances = pivot_tolerances(*symbolic_, ScaledValues<S>{whole.values, rows, cols}, options_.factorization.pivoting);
}

template <Scalar S>
const SchurFactor<S>& Factorization<S>::dense_schur() const {
  const std::lock_guard lock(schur_->mutex);
  if (!schur_->factor) {
    const std::span<const Index> variables = symbolic_->schur_variables();
    SchurFactorOptions<S> options;
    options.method = report_.method;
    if (!options_.method) {
      options.fallback = indefinite_method<S>(matrix_.stored.pattern.symmetry);
    }
    options.row_scaling = permuted<RealOf<S>>(factors_->row_scaling(), variables);
    options.col_scaling = permuted<RealOf<S>>(factors_->col_scaling(), variables);
    options.tolerances = schur_->tolerances;
    options.relative_null = static_cast<RealOf<S>>(relative_null_threshold<S>(matrix_.order(), options_.factorization.pivoting));
    options.num_threads = number_of_threads(options_.factorization.num_threads);
    schur_->factor = std::make_unique<SchurFactor<S>>(schur_complement_of(*factors_), std::move(options));
  }
  return *schur_->factor;
}

template <Scalar S>
CondensedSystem<S> Factorization<S>::condensed_system() const {
  return {has_schur_complement() ? &*factors_ : nullptr, *symbolic_, plan_, matrix_.transposed, options_.factorization.num_threads};
}

template <Scalar S>
DenseMatrix<S> Factorization<S>::schur_complement() const {
  return condensed_system().schur_complement();
}

template <Scalar S>
void Factorization<S>::condense(DenseView<const S> b, DenseView<S> condensed, Operation operation) const {
  check_factors_kept(options_.factorization.kept);
  condensed_system().condense(b, condensed, operation);
}

template <Scalar S>
void Factorization<S>::expand(DenseView<const S> b, DenseView<const S> x2, DenseView<S> x, Operation operation) const {
  check_factors_kept(options_.factorization.kept);
  condensed_system().expand(b, x2, x, operation);
}

template <Scalar S>
SolveReport Factorization<S>::solve(std::span<const S> b, std::span<S> x, Operation operation) const {
  if (b.size() != x.size() || x.size() != static_cast<std::size_t>(matrix_.order())) {
    throw UsageError(fmt::format("the matrix has order {}, but b has {} entries and x {}", matrix_.order(), b.size(), x.size()));
  }
  const Index ld = std::max(matrix_.order(), Index{1});
  return solve(DenseView<const S>{b.data(), matrix_.order(), 1, ld}, DenseView<S>{x.data(), matrix_.order(), 1, ld}, operation);
}

template <Scalar S>
SolveReport Factorization<S>::solve(DenseView<const S> b, DenseView<S> x, Operation operation) const {
  return solve_and_bound(b, x, operation, options_.error_bounds);
}

template <Scalar S>
SolveReport Factorization<S>::solve_and_bound(DenseView<const S> b, DenseView<S> x, Operation operation, ErrorBounds bounds) const {
  check_factors_kept(options_.factorization.kept);
  check_right_hand_sides(matrix_.order(), b, x);
  if (!factors_ && !lower_factors_) {
    fill_with_nan(x);
    return judge<S>({}, report_.factorization, rank_of_whole(report_.factorization), matrix_.order());
  }
  return on_threads(options_.factorization.num_threads, [&] {
    return keeps_schur_complement() ? solve_with_schur(b, x, operation, bounds)
                                    : solve_with(report_.factorization, b, x, operation, bounds);
  });
}

// What is known of the rank of A, also where the factors are those of a part.
template <Scalar S>
RankProof Factorization<S>::rank_of_whole(const FactorizationReport& whole) const {
  if (!keeps_schur_complement()) {
    return report_.rank;
  }
  const Index structural_rank = symbolic_->structural_rank();
  return schur_->is_in_doubt ? RankProof{.status = RankVerdict::in_doubt, .highest = structural_rank}
                             : presumed_rank(whole, matrix_.order(), structural_rank);
}

template <Scalar S>
SolveReport Factorization<S>::solve_with(const FactorizationReport& factorization, DenseView<const S> b, DenseView<S> x,
                                         Operation operation, ErrorBounds bounds) const {
  if (fallback() != nullptr) {
    return solve_in_full(b, x, operation, bounds);
  }
  const DenseView<const S> given_b = b;
  const StoredOperation stored = stored_operation(matrix_.transposed, operation);
  const DenseMatrix<S> conjugate_b = stored.conjugated ? conjugated_copy(b) : DenseMatrix<S>();
  if (stored.conjugated) {
    b = view_of(conjugate_b);
  }
  const BackwardErrorMeter<S> meter(matrix_.stored, stored.operation, unknown_scales(stored.operation));
  const RefinedSolve<S> refined{solve_in_place(), stored.operation, meter, options_.refinement, options_.factorization.num_threads};
  std::vector<ColumnReport> columns(static_cast<std::size_t>(b.cols));
  for (Index begin = 0; begin < b.cols; begin += kSolveBlock) {
    const Index end = std::min(b.cols, begin + kSolveBlock);
    const std::span<ColumnReport> reports =
        std::span(columns).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    refined.run(b.columns(begin, end), x.columns(begin, end), reports);
  }
  if (lower_factors_ && std::any_of(columns.begin(), columns.end(), is_inaccurate<S>)) {
    make_fallback();
    return solve_in_full(given_b, x, operation, bounds);
  }
  SolveReport report = judge<S>(std::move(columns), factorization, rank_of_whole(factorization), matrix_.order());
  if (!keeps_schur_complement()) {
    report.equilibrated_condition = report_.equilibrated_condition;
  }
  if (report.verdict == Verdict::singular) {
    note_consistency(stored.operation, b, x, report);
  }
  if (!bound_errors(stored.operation, meter, b, x, bounds, report)) {
    if (lower_factors_) {
      make_fallback();
      return solve_in_full(given_b, x, operation, bounds);
    }
    report.notes.emplace_back(kNoBoundNote);
  }
  if (stored.conjugated) {
    conjugate_entries(x);
  }
  return report;
}

// Of a singular system, as it is stored.
template <Scalar S>
void Factorization<S>::note_consistency(Operation operation, DenseView<const S> b, DenseView<const S> x,
                                        SolveReport& report) const {
  const auto order = static_cast<std::size_t>(b.rows);
  std::vector<SolvedColumn<S>> columns;
  columns.reserve(report.columns.size());
  for (Index j = 0; j < b.cols; ++j) {
    columns.push_back({{b.column(j), order}, {x.column(j), order}, &report.columns[static_cast<std::size_t>(j)]});
  }
  measure_consistency<S>(
      {matrix_.stored, operation, report.null_pivots, report_.is_singular_by_condition, options_.factorization.num_threads},
      keeps_schur_complement() || has_neighbours_factors() ? SolvePart<S>() : solve_parts_in_place(), columns);
}

// B and X as they are stored. False, and there are no bounds, where the factors are too far from the matrix to tell.
template <Scalar S>
bool Factorization<S>::bound_errors(Operation operation, const BackwardErrorMeter<S>& meter, DenseView<const S> b,
                                    DenseView<const S> x, ErrorBounds bounds, SolveReport& report) const {
  const FactorizationStatus status =
      report.verdict == Verdict::singular ? FactorizationStatus::singular : report_.factorization.status;
  // Where the rank is in doubt nobody knows what the factors are worth, but corrected solves measure it.
  const bool is_proved = report.rank.status != RankVerdict::in_doubt || has_neighbours_factors();
  const Index num_bounded = is_proved ? num_bounded_columns(bounds, status, b.cols) : 0;
  if (num_bounded == 0) {
    return true;
  }
  const double begin = steady_seconds();
  const SolveInPlace<S> by_factors = solve_in_place();
  CorrectedSolve<S> corrected(matrix_.stored, unknown_scales(Operation::transposed), unknown_scales(Operation::plain), by_factors);
  const SolveInPlace<S> solve = has_neighbours_factors() ? corrected.as_function() : by_factors;
  const auto order = static_cast<std::size_t>(b.rows);
  const double condition = estimate_condition<S>(matrix_.stored, matrix_.transposed, solve);
  std::vector<ForwardError> errors;
  for (Index j = 0; j < num_bounded && corrected.is_trusted(); ++j) {
    errors.push_back(
        estimate_forward_error<S>(matrix_.stored, operation, meter, {b.column(j), order}, {x.column(j), order}, solve));
  }
  report.bound_seconds = steady_seconds() - begin;
  if (!corrected.is_trusted()) {
    return false;
  }
  report.condition = condition;
  for (std::size_t j = 0; j < errors.size(); ++j) {
    note_forward_error(errors[j], report.columns[j]);
  }
  return true;
}

template Method choose_method(const SystemMatrix<float>&, const SolverOptions&);
template std::shared_ptr<const Symbolic> analyze(const SystemMatrix<float>&, const SolverOptions&);
template class Factorization<float>;
template Method choose_method(const SystemMatrix<double>&, const SolverOptions&);
template std::shared_ptr<const Symbolic> analyze(const SystemMatrix<double>&, const SolverOptions&);
template class Factorization<double>;
template Method choose_method(const SystemMatrix<std::complex<float>>&, const SolverOptions&);
template std::shared_ptr<const Symbolic> analyze(const SystemMatrix<std::complex<float>>&, const SolverOptions&);
template class Factorization<std::complex<float>>;
template Method choose_method(const SystemMatrix<std::complex<double>>&, const SolverOptions&);
template std::shared_ptr<const Symbolic> analyze(const SystemMatrix<std::complex<double>>&, const SolverOptions&);
template class Factorization<std::complex<double>>;

}  // namespace frond
