// SPDX-License-Identifier: BSD-3-Clause
// Implements the decisions of a factorization, one after the other.
#include "solver/course/factorization_course.hpp"

#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "factorization/fronts/pivot_tolerances.hpp"
#include "factorization/scheduling/thread_arena.hpp"
#include "solver/numerics/accuracy/corrected_solve.hpp"
#include "solver/numerics/schur/schur_complement.hpp"
#include "solver/numerics/sweeps/lower_factors.hpp"
#include "solver/numerics/verdict/interior_system.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "solver/numerics/verdict/structural_core.hpp"

namespace frond {
namespace {

// Far below what any pivot threshold accepts next to entries of about 1, and so small that rounding errors count as null pivots.
template <class R>
constexpr R kScaleOfLast = std::is_same_v<R, float> ? R(0x1p-10) : R(0x1p-20);

}  // namespace

template <Scalar S>
void FactorizationCourse<S>::run() {
  const SolverOptions& options = backend_.options();
  check_schur_pivoting(options.factorization.pivoting, backend_.symbolic().schur_order());
  check_schur_precision(options.mixed_precision, backend_.symbolic().schur_order());
  backend_.team().agree([&] { state_.levels = levels_of<S>(backend_.symbolic(), backend_.analysed().values); });
  if (options.mixed_precision) {
    check_mixed<S>();
  }
  if (!options.mixed_precision || !run_in_lower(backend_.method())) {
    run_in_full();
  }
  backend_.set_known_scales(is_rank_full() ? scales_ : FoundScales());
}

template <Scalar S>
bool FactorizationCourse<S>::is_rank_full() const {
  const RankVerdict status = state_.report.rank.status;
  return status == RankVerdict::nonsingular || status == RankVerdict::presumed;
}

template <Scalar S>
void FactorizationCourse<S>::run_in_full() {
  state_.report.is_mixed = false;
  const std::vector<std::string> notes = state_.report.notes;
  factorize_and_look();
  if (state_.levels && pivots().status != FactorizationStatus::singular) {
    prove_rank();
  }
  if (state_.levels && is_rank_open(state_.report)) {
    state_.report.notes = notes;
    join_levels();
    factorize_and_look();
  }
  if (!state_.levels) {
    prove_rank();
  }
  if (scales_.are_kept() && !is_rank_full()) {
    state_.report.notes = notes;
    backend_.release_factors();
    scales_ = {};
    run_in_full();
    return;
  }
  look_at_structure();
}

// The rank of a matrix is not the sum of the ranks of its blocks: analyses the whole matrix, without blocks.
template <Scalar S>
void FactorizationCourse<S>::join_levels() {
  backend_.release_factors();
  state_.levels.reset();
  scales_ = {};
  backend_.analyse_as_a_whole();
  state_.report.notes.emplace_back(kJoinedLevelsNote);
}

template <Scalar S>
FactorizationWay FactorizationCourse<S>::asked_way(Method method) const {
  const SolverOptions& options = backend_.options();
  FactorizationWay way{.method = method, .pivoting = options.factorization.pivoting, .scaling = options.scaling, .budget = budget_};
  way.pivoting.may_lower_threshold =
      way.pivoting.may_lower_threshold && state_.kept == KeptFactors::all && !keeps_schur_complement();
  return way;
}

template <Scalar S>
template <Scalar F>
FactorizationWay FactorizationCourse<S>::way_of_attempt(Method method) const {
  FactorizationWay way = asked_way(method);
  way.budget = budget_of_attempt<F>(backend_.symbolic(), method, way.budget);
  return way;
}

// If a triangle is stored, scales of rows are those of columns; the pivot search of LU compares only within columns.
template <Scalar S>
std::shared_ptr<const Scaling<RealOf<S>>> FactorizationCourse<S>::with_small_variables(const Scaling<RealOf<S>>& scaling,
                                                                                       std::span<const Index> variables) const {
  using R = RealOf<S>;
  const auto small = std::make_shared<Scaling<R>>(scaling);
  const bool is_general = backend_.analysed().pattern.symmetry == Symmetry::general;
  small->rows.resize(static_cast<std::size_t>(backend_.symbolic().order()), R(1));  // empty scales are ones
  small->cols.resize(small->rows.size(), R(1));
  for (const Index variable : variables) {
    const auto k = static_cast<std::size_t>(variable);
    small->cols[k] *= kScaleOfLast<R>;
    small->rows[k] *= is_general ? R(1) : kScaleOfLast<R>;
  }
  return small;
}

template <Scalar S>
void FactorizationCourse<S>::take(const FactorizationWay& way) {
  state_.way = way;
  backend_.team().agree([&] {
    ScalingOptions options = scaling_options(backend_.options());
    options.kind = way.scaling;
    on_threads(backend_.options().factorization.num_threads, [&] {
      units_ = std::make_shared<const Scaling<RealOf<S>>>(
          scales_.of_kind(backend_.analysed(), options, backend_.symbolic().row_of_column(), backend_.symbolic().blocks()));
    });
    state_.scaling = way.last_variables.count == 0 ? units_ : with_small_variables(*units_, way.last_variables.view());
  });
  state_.report.method = way.method;
  state_.report.scaling = state_.scaling->kind;
  state_.report.equilibration_sweeps = state_.scaling->num_sweeps;
}

// Returns false, with a note, if the matrix needs full precision.
template <Scalar S>
bool FactorizationCourse<S>::run_in_lower(Method method) {
  using L = LowerOf<S>;
  SystemReport& report = state_.report;
  pivots() = {};
  take(way_of_attempt<L>(method));
  try {
    pivots() = backend_.factorize_lower(state_.way, *state_.scaling);
  } catch (const MemoryError&) {  // possibly from delayed pivots, which are fewer in full precision
  } catch (const BudgetError&) {  // delayed pivots again
  }
  if (pivots().status == FactorizationStatus::not_positive_definite && !backend_.options().method) {
    const Method indefinite = indefinite_method<S>(backend_.analysed().pattern.symmetry);
    std::string note = fallback_note(pivots(), indefinite);
    const bool has_factors = run_in_lower(indefinite);
    if (has_factors) {
      report.notes.push_back(std::move(note));
    }
    return has_factors;
  }
  ConditionEstimate estimate;
  if (backend_.has_lower_factors() && may_hide_singularity<L>(pivots())) {
    estimate = estimate_equilibrated_condition();
  }
  if (const std::optional<std::string> note = lower_precision_note<S>(backend_.has_lower_factors(), estimate)) {
    report.notes.push_back(*note);
    backend_.release_factors();
    return false;
  }
  report.is_mixed = true;
  report.equilibrated_condition = estimate.condition;
  note_perturbations(report);
  backend_.team().agree([&] { note_structural_singularity(backend_.symbolic(), backend_.analysed(), report); });
  presume_rank(report, backend_.symbolic().order(), backend_.symbolic().structural_rank());
  look_at_structure();
  return true;
}

template <Scalar S>
void FactorizationCourse<S>::factorize_and_look() {
  SystemReport& report = state_.report;
  factorize_on_some_way(backend_.method());
  if (pivots().status == FactorizationStatus::not_positive_definite && !backend_.options().method) {
    const Method fallback = indefinite_method<S>(backend_.analysed().pattern.symmetry);
    report.notes.push_back(fallback_note(pivots(), fallback));
    factorize_on_some_way(fallback);
  }
  note_perturbations(report);
  backend_.team().agree([&] { note_structural_singularity(backend_.symbolic(), backend_.analysed(), report); });
  // Perturbed pivots make the condition doubtful, since such factors have not been proved.
  if (pivots().num_perturbed_pivots > 0 && state_.kept == KeptFactors::all && pivots().status == FactorizationStatus::success) {
    note_condition<S>(estimate_equilibrated_condition(), report);
  }
}

template <Scalar S>
void FactorizationCourse<S>::factorize_on_some_way(Method method) {
  const auto fits = [&] { return backend_.fits(method, state_.kept); };
  const DelayLimits limits = delay_limits<S>(backend_.symbolic(), method, fits);
  FactorizationWay first = asked_way(method);
  const bool may_lower = may_lower_threshold(first, limits);
  if (may_lower && scales_.have_dear_delays()) {
    first.pivoting.pivot_threshold = limits.lowered_threshold;
  }
  try {
    factorize_on_a_way(
        first, limits, state_.report, [&](const FactorizationWay& way) { factorize(way); }, !keeps_schur_complement());
    if (may_lower) {
      note_delays(first.pivoting.pivot_threshold, limits);
    }
  } catch (const MemoryError& error) {
    backend_.release_factors();
    settle_by_structure(error);
  }
}

// What other values can make use of, after a factorization that began with this threshold.
template <Scalar S>
void FactorizationCourse<S>::note_delays(double first_threshold, const DelayLimits& limits) {
  const double flops = pivots().flops;
  if (first_threshold <= limits.lowered_threshold) {
    scales_.note_lowered_threshold(flops);
  } else if (state_.way.pivoting.pivot_threshold <= limits.lowered_threshold) {
    scales_.note_dear_delays();
  } else if (flops > kDearFactor * backend_.symbolic().estimate(state_.way.method).front_flops) {
    scales_.note_dear_delays(flops);
  }
}

// Throws `error` unless the structure explains it.
template <Scalar S>
void FactorizationCourse<S>::settle_by_structure(const MemoryError& error) {
  bool is_settled = false;
  backend_.team().agree([&] {
    try {
      pivots() = structural_verdict(backend_.analysed(), error, state_.report.notes);
      is_settled = true;
    } catch (const MemoryError&) {  // the same again
    }
  });
  if (!is_settled) {
    throw error;
  }
}

template <Scalar S>
void FactorizationCourse<S>::factorize(const FactorizationWay& way) {
  take(way);
  if (keeps_schur_complement()) {
    backend_.team().agree([&] { on_threads(backend_.options().factorization.num_threads, [&] { note_schur_tolerances(); }); });
  }
  state_.report.is_singular_by_condition = false;
  state_.report.equilibrated_condition = std::numeric_limits<double>::quiet_NaN();
  pivots() = backend_.factorize(way, *state_.scaling, state_.kept);
}

// The tolerances belong to the scaled matrix, whose Schur complement may be factorized later.
template <Scalar S>
void FactorizationCourse<S>::note_schur_tolerances() {
  const Symbolic& symbolic = backend_.symbolic();
  const std::vector<RealOf<S>> rows = permuted<RealOf<S>>(state_.scaling->rows, symbolic.row_perm());
  const std::vector<RealOf<S>> cols = permuted<RealOf<S>>(state_.scaling->cols, symbolic.permutation().perm);
  state_.schur_tolerances = pivot_tolerances(symbolic, ScaledValues<S>{backend_.analysed().values, rows, cols},
                                             backend_.options().factorization.pivoting);
}

template <Scalar S>
void FactorizationCourse<S>::prove_rank() {
  SystemReport& report = state_.report;
  const SolverOptions& options = backend_.options();
  const Symbolic& symbolic = backend_.symbolic();
  const Index schur_order = symbolic.schur_order();
  if (!backend_.has_factors() || !wants_proof<S>(pivots())) {
    presume_rank(report, symbolic.order() - schur_order,
                 schur_order > 0 ? symbolic.order() - schur_order : symbolic.structural_rank());
    return;
  }
  const ProofPort<S> port{.factorize =
                              [&](const FactorizationWay& way) {
                                backend_.release_factors();  // there may not be enough memory for both
                                factorize(way);
                              },
                          .has_factors = [&] { return backend_.has_factors(); },
                          .examine = [&](const auto& look) { return examine(look); }};
  ProofQuestion question{
      .order = symbolic.order(),
      .first = state_.way,
      .has_choice = may_choose_null_pivots(options.factorization.pivoting, report.method, options.method) && !state_.levels,
      .may_rescale = options.scaling == ScalingKind::automatic,
      .measures_solutions = schur_order == 0,
      .leaves_doubts = !options.refinement.measures,
      .last_budget = budget_of_attempt<S>(symbolic, report.method, budget_),
      .num_threads = options.factorization.num_threads};
  question.first.budget = question.last_budget;
  backend_.team().agree([&] { question.structural_rank = interior_structural_rank(backend_.analysed(), symbolic); });
  if (!frond::prove_rank(report, state_.kept, question, port)) {
    backend_.release_factors();
    if (schur_order > 0 && pivots().status == FactorizationStatus::success) {
      leave_complement_alone();
    }
  }
  report.rank = rank_of_interior(report.rank, schur_order);
}

// Recomputes the complement with the factors that the proof led to; the report stays that of the proof.
template <Scalar S>
void FactorizationCourse<S>::leave_complement_alone() {
  const SystemReport proved = state_.report;
  FactorizationWay way = state_.way;
  way.budget = {};  // its cost is known, and was affordable
  factorize(way);
  state_.report = proved;
}

// The structure may settle the rank if pivots leave it in doubt; that needs no factorization.
template <Scalar S>
void FactorizationCourse<S>::look_at_structure() {
  const Index order = backend_.symbolic().order();
  const Index structural_rank = backend_.symbolic().structural_rank();
  if (keeps_schur_complement() || !wants_core(state_.report.rank, order, structural_rank)) {
    return;
  }
  RankProof by_core;
  backend_.team().agree_on_leader(
      [&] { by_core = bound_rank_by_core(backend_.analysed(), backend_.options().factorization.num_threads); });
  share_value(backend_.team(), by_core);
  heed_core(by_core, order, structural_rank, state_.report);
}

// Calls work(solve) on the leader, with solves for what is eliminated; the variables that are kept are 0.
template <Scalar S>
void FactorizationCourse<S>::lead(const std::function<void(const SolveInPlace<S>& solve)>& work) {
  backend_.lead([&](const SolveInPlace<S>& solve) {
    work([&](const Sweep<S>& sweep) {
      Sweep<S> of_eliminated = sweep;
      of_eliminated.use = SchurUse::expand;
      set_rows_to_zero(backend_.symbolic().schur_variables(), sweep.x);
      solve(of_eliminated);
    });
  });
}

// Examines on the leader, with solves in which all take part; all get the result.
template <Scalar S>
ProofEvidence FactorizationCourse<S>::examine(const std::function<ProofEvidence(const ScaledSystem<S>&)>& look) {
  using R = RealOf<S>;
  const std::span<const R> rows = units_->rows;
  const std::span<const R> cols = units_->cols;
  ProofEvidence evidence;
  lead([&](const SolveInPlace<S>& solve) {
    if (keeps_schur_complement()) {
      const InteriorSystem<S> interior = interior_system(backend_.analysed(), backend_.symbolic(), rows, cols);
      const SolveInPlace<S> solve_interior = interior.solve_by(solve);
      evidence = look({interior.view(), rows, cols, solve_interior});
    } else {
      evidence = look({backend_.analysed(), rows, cols, solve});
    }
  });
  share_value(backend_.team(), evidence);
  return evidence;
}

template <Scalar S>
ConditionEstimate FactorizationCourse<S>::estimate_equilibrated_condition() {
  const bool has_neighbours_factors = backend_.has_neighbours_factors();
  const Scaling<RealOf<S>>& scaling = *state_.scaling;
  ConditionEstimate estimate;
  lead([&](const SolveInPlace<S>& solve) {
    const MatrixView<S> matrix = backend_.analysed();
    estimate = has_neighbours_factors ? estimate_corrected_condition<S>(matrix, scaling.rows, scaling.cols, solve)
                                      : ConditionEstimate{estimate_scaled_condition<S>(matrix, scaling.rows, scaling.cols, solve)};
  });
  share_value(backend_.team(), estimate);
  return estimate;
}

RankProof rank_of_whole(const Symbolic& symbolic, const RankProof& of_factors, const FactorizationReport& whole, bool is_in_doubt) {
  if (symbolic.schur_order() == 0) {
    return of_factors;
  }
  return is_in_doubt ? RankProof{.status = RankVerdict::in_doubt, .highest = symbolic.structural_rank()}
                     : presumed_rank(whole, symbolic.order(), symbolic.structural_rank());
}

#define FROND_INSTANTIATE(S)             \
  template class FactorizationCourse<S>; \
  template FactorizationWay FactorizationCourse<S>::way_of_attempt<S>(Method) const;
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
