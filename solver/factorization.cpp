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

#include "factorization/factorize.hpp"
#include "factorization/ghosts/memory_estimate.hpp"
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
#include "solver/course/factorization_course.hpp"
#include "solver/problem/analysed_matrix.hpp"
#include "solver/scaling/scaling.hpp"
#include "solver/schur/schur_complement.hpp"
#include "solver/schur/schur_front.hpp"
#include "solver/verdict/interior_system.hpp"
#include "solver/verdict/outcome.hpp"

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

/// The system in this process, for the course of its factorization.
template <Scalar S>
class Factorization<S>::Backend final : public FactorizationBackend<S> {
 public:
  Backend(Factorization& owner, Method method)
      : owner_(owner), method_(method), analysed_(*owner.symbolic_, owner.matrix_, method) {}

  [[nodiscard]] Count num_missing() const { return analysed_.num_missing(); }

  [[nodiscard]] const Team& team() const override { return alone_; }
  [[nodiscard]] const SolverOptions& options() const override { return owner_.options_; }
  [[nodiscard]] const Symbolic& symbolic() const override { return *owner_.symbolic_; }
  [[nodiscard]] Method method() const override { return method_; }
  [[nodiscard]] MatrixView<S> analysed() const override { return analysed_.view(); }

  FactorizationReport factorize(const FactorizationWay& way, const Scaling<RealOf<S>>& scaling, KeptFactors kept) override {
    if (owner_.keeps_schur_complement()) {
      owner_.note_schur_tolerances(analysed_.view(), scaling);
    }
    FactorizationOptions options = options_of<S>(way);
    options.kept = kept;
    FactorizationResult<S> result =
        frond::factorize<S>(owner_.symbolic_, way.method, analysed_.view().values, scaling.rows, scaling.cols, options);
    owner_.factors_ = std::move(result.factors);
    return std::move(result.report);
  }

  FactorizationReport factorize_lower(const FactorizationWay& way, const Scaling<RealOf<S>>& scaling) override {
    LowerResult<S> result =
        frond::factorize_lower<S>(owner_.symbolic_, way.method, analysed_.view(), scaling, options_of<LowerOf<S>>(way));
    owner_.lower_factors_ = std::move(result.factors);
    return std::move(result.report);
  }

  [[nodiscard]] bool has_factors() const override { return owner_.factors_.has_value(); }
  [[nodiscard]] bool has_lower_factors() const override { return owner_.lower_factors_.has_value(); }
  void release_factors() override {
    owner_.factors_.reset();
    owner_.lower_factors_.reset();
  }

  [[nodiscard]] bool fits(Method method, KeptFactors kept) override {
    const Count limit = owner_.options_.factorization.memory_limit;
    return limit == 0 || estimate_memory(*owner_.symbolic_, method, sizeof(S), 1, kept).least_bytes() <= limit;
  }

  void lead(const std::function<void(const SolvePart<S>& solve)>& work, SchurUse use) override {
    if (use != SchurUse::expand) {
      work(owner_.solve_parts_in_place());
      return;
    }
    work([this](SweepPart part, Operation operation, DenseView<S> x) {
      solve_around_schur<S>(*owner_.factors_, owner_.plan_, part, operation, x, owner_.options_.factorization.num_threads,
                            [&](DenseView<S> unknowns) {
                              set_rows_to_zero(owner_.symbolic_->schur_variables(), unknowns);
                              return true;
                            });
    });
  }

  void analyse_as_a_whole() override {
    owner_.options_.analysis.block_triangular = BlockTriangularUse::never;
    AnalysisOptions analysis = owner_.options_.analysis;
    analysis.method = method_;
    analysis.ordering.num_threads = number_of_threads(owner_.options_.factorization.num_threads);
    const MatrixView<S> whole = analysed_.view();
    owner_.symbolic_ = analyze(whole.pattern, analysis, magnitudes_for_pivots(whole, method_, owner_.options_));
    owner_.plan_ = SolvePlan(owner_.symbolic_->tree());
  }

 private:
  // Those of a factorization in F.
  template <Scalar F>
  [[nodiscard]] FactorizationOptions options_of(const FactorizationWay& way) const {
    FactorizationOptions options = owner_.options_.factorization;
    options.pivoting = way.pivoting;
    options.budget = way.budget;
    options.flushes_subnormals = may_flush_subnormals<F>(owner_.options_.scaling);
    return options;
  }

  Factorization& owner_;
  Method method_;
  AnalysedMatrix<S> analysed_;
  Alone alone_;
};

// Without factors.
template <Scalar S>
Factorization<S>::Factorization(std::shared_ptr<const Symbolic> symbolic, const SystemMatrix<S>& matrix, SolverOptions options,
                                const SystemReport& report)
    : symbolic_(std::move(symbolic)),
      options_(std::move(options)),
      matrix_(matrix),
      plan_(symbolic_->tree()),
      state_{.report = report, .kept = options_.factorization.kept} {}

template <Scalar S>
Factorization<S>::Factorization(std::shared_ptr<const Symbolic> symbolic, const SystemMatrix<S>& matrix, SolverOptions options)
    : Factorization(std::move(symbolic), matrix, std::move(options), SystemReport()) {
  check_system(matrix_);
  check_schur_variables(options_.analysis.schur_variables, *symbolic_);
  check_kept_options(options_);
  on_threads(options_.factorization.num_threads, [&] {
    Backend backend(*this, choose_method(matrix_, options_));
    note_missing_entries(backend.num_missing(), state_.report);
    FactorizationCourse<S>(backend, state_).run();
  });
  state_.scaling = {};  // factors have their own
  if (lower_factors_) {
    fallback_ = std::make_unique<Fallback>();
  }
}

template <Scalar S>
SolveInPlace<S> Factorization<S>::solve_in_place() const {
  return [this](Operation operation, DenseView<S> x) { solve_with_all_levels(SweepPart::whole, operation, x); };
}

// X := a part of op(A)^-1 X.
template <Scalar S>
void Factorization<S>::solve_with_all_levels(SweepPart part, Operation operation, DenseView<S> x) const {
  if (!state_.levels) {
    solve_with_level(kAllLevels, part, operation, x);
    return;
  }
  try {
    for (BlockSubstitution<S> course(*state_.levels, part, operation, x); !course.ended(); course.take()) {
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
    solve_with_trees(*factors_, plan_, state_.levels->trees(level), part, operation, x, num_threads);
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
      limit = std::max(limit - state_.report.factorization.factor_bytes, kNoMemoryIsLeft);
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
    options.method = state_.report.method;
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
    return judge<S>({}, state_.report.factorization, rank_of_all(state_.report.factorization), matrix_.order());
  }
  return on_threads(options_.factorization.num_threads, [&] {
    return keeps_schur_complement() ? solve_with_schur(b, x, operation, bounds)
                                    : solve_with(state_.report.factorization, b, x, operation, bounds);
  });
}

template <Scalar S>
RankProof Factorization<S>::rank_of_all(const FactorizationReport& whole) const {
  return rank_of_whole(*symbolic_, state_.report.rank, whole, keeps_schur_complement() && schur_->is_in_doubt);
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
  SolveReport report = judge<S>(std::move(columns), factorization, rank_of_all(factorization), matrix_.order());
  if (!keeps_schur_complement()) {
    report.equilibrated_condition = state_.report.equilibrated_condition;
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
      {matrix_.stored, operation, report.null_pivots, state_.report.is_singular_by_condition, options_.factorization.num_threads},
      keeps_schur_complement() || has_neighbours_factors() ? SolvePart<S>() : solve_parts_in_place(), columns);
}

// B and X as they are stored. False, and there are no bounds, where the factors are too far from the matrix to tell.
template <Scalar S>
bool Factorization<S>::bound_errors(Operation operation, const BackwardErrorMeter<S>& meter, DenseView<const S> b,
                                    DenseView<const S> x, ErrorBounds bounds, SolveReport& report) const {
  const FactorizationStatus status =
      report.verdict == Verdict::singular ? FactorizationStatus::singular : state_.report.factorization.status;
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
