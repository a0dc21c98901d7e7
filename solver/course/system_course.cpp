// SPDX-License-Identifier: BSD-3-Clause
// Decides which factors solve a system, and makes further ones when they are first needed.
#include "solver/course/system_course.hpp"

#include <algorithm>
#include <utility>

#include "factorization/memory/memory_limit.hpp"
#include "factorization/scheduling/thread_arena.hpp"
#include "frond/error.hpp"
#include "solver/course/factorization_course.hpp"
#include "solver/course/solve_course.hpp"
#include "solver/numerics/schur/schur_doubt.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "solver/numerics/verdict/proof_search.hpp"
#include "solver/options/relayed_observer.hpp"
#include "solver/storage/saved/saved_factors.hpp"

namespace frond {

template <Scalar S>
SystemCourse<S>::SystemCourse(std::unique_ptr<SystemBackend<S>> backend, std::vector<std::string> notes)
    : backend_(std::move(backend)), notes_(std::move(notes)) {}

template <Scalar S>
void SystemCourse<S>::begin() {
  backend_->state().report = {};
  backend_->state().report.notes = notes_;
}

template <Scalar S>
void SystemCourse<S>::factorize(const WorkBudget& budget) {
  check_kept_options(backend_->options());
  begin();
  FactorizationCourse<S>(*backend_, budget).run();
  backend_->release_analysed();
}

template <Scalar S>
const SystemCourse<S>& SystemCourse<S>::current() const {
  const SystemCourse* course = current_.load();
  return course == this ? *this : course->current();
}

template <Scalar S>
SystemCourse<S>& SystemCourse<S>::current() {
  SystemCourse* course = current_.load();
  return course == this ? *this : course->current();
}

template <Scalar S>
bool SystemCourse<S>::may_stay_unmeasured() const {
  const SystemBackend<S>& backend = current().backend();
  const SystemReport& report = backend.report();
  return !backend_->options().refinement.measures && backend_->options().error_bounds == ErrorBounds::never &&
         backend.has_factors() && report.factorization.status == FactorizationStatus::success &&
         !backend.has_neighbours_factors() && !backend.keeps_schur_complement() && report.rank.is_certain() &&
         frond::may_stay_unmeasured<S>(report.factorization);
}

template <Scalar S>
SolveReport SystemCourse<S>::solve(const RankSides<S>& sides, Operation operation, std::optional<ErrorBounds> given) {
  if (!given && may_stay_unmeasured()) {
    const SystemReport& report = current().report();
    return SolveCourse<S>(current().backend(), report.factorization, report.rank).run_unmeasured(sides, operation);
  }
  const ErrorBounds bounds = given.value_or(backend_->options().error_bounds);
  if (&current() != this || has_given_up_lower_) {
    make_full();
    return solve_with_successor(sides, operation, bounds);
  }
  if (backend_->keeps_schur_complement()) {
    return solve_with_complement(sides, operation, bounds);
  }
  const SystemReport& system = backend_->report();
  if (!backend_->has_factors() && !backend_->has_lower_factors()) {
    return without_solution(sides, system.factorization, system.rank);
  }
  std::optional<SolveReport> report = SolveCourse<S>(*backend_, system.factorization, system.rank).run(sides, operation, bounds);
  if (!report) {
    make_full();
    return solve_with_successor(sides, operation, bounds);
  }
  return report->verdict == Verdict::accuracy_missed ? solve_on_other_ways(sides, operation, bounds) : std::move(*report);
}

// Other factors replace the current ones if they solve what these do not.
template <Scalar S>
SolveReport SystemCourse<S>::solve_on_other_ways(const RankSides<S>& sides, Operation operation, ErrorBounds bounds) {
  const std::lock_guard lock(making_successor_);
  for (const OtherWay& way : has_tried_other_ways_ ? std::vector<OtherWay>() : other_ways()) {
    has_tried_other_ways_ = true;
    if (std::unique_ptr<SystemCourse> course = factorize_on(way)) {
      if (course->solve(sides, operation, ErrorBounds::never).verdict == Verdict::solved) {
        succeed_by(std::move(course), "x was not accurate: the matrix was factorized once more, " + way.description);
        break;
      }
    }
  }
  const SystemReport& system = backend_->report();
  return successor_ ? solve_with_successor(sides, operation, bounds)
                    : *SolveCourse<S>(*backend_, system.factorization, system.rank).run(sides, operation, bounds);
}

// Choices that the user left open may be made differently.
template <Scalar S>
auto SystemCourse<S>::other_ways() const -> std::vector<OtherWay> {
  const SystemReport& report = backend_->report();
  if (backend_->options().refinement.max_steps == 0) {
    return {};  // x is to be computed from the factors alone
  }
  const PivotingOptions defaults;
  const WorkBudget budget{.flops = std::max(kMostFlops * report.factorization.flops, kFreeFlops)};
  OtherWay as_before{options_beside(report.factorization.factor_bytes), budget, false, {}};
  std::vector<OtherWay> ways;
  if (report.method == Method::lu && as_before.options.analysis.block_triangular == Use::automatic &&
      !backend_->symbolic().blocks().splits()) {
    ways.push_back(as_before);
    ways.back().options.analysis.block_triangular = Use::always;
    ways.back().needs_analysis = true;
    ways.back().description = "in block triangular form";
  }
  if (as_before.options.scaling == ScalingKind::automatic) {
    ways.push_back(as_before);
    ways.back().options.scaling = report.scaling == ScalingKind::matching ? ScalingKind::equilibrate : ScalingKind::matching;
    ways.back().description = "with scales by other means (" + to_string(ways.back().options.scaling) + ")";
  }
  PivotingOptions& pivoting = as_before.options.factorization.pivoting;
  if (report.method != Method::cholesky && pivoting.kind == defaults.kind && pivoting.pivot_threshold == defaults.pivot_threshold) {
    pivoting.pivot_threshold = safer_factorization<S>(report.method, backend_->symbolic().order()).pivoting.pivot_threshold;
    ways.push_back(as_before);
    ways.back().description = "with larger pivots";
  }
  return ways;
}

// Null if memory or the budget runs out before the factorization ends.
template <Scalar S>
std::unique_ptr<SystemCourse<S>> SystemCourse<S>::factorize_on(const OtherWay& way) const {
  try {
    auto course = std::make_unique<SystemCourse>(backend_->with_options(way.options, way.needs_analysis), notes_);
    course->has_tried_other_ways_ = true;
    course->factorize(way.budget);
    return course;
  } catch (const MemoryError&) {
    return nullptr;
  } catch (const BudgetError&) {
    return nullptr;
  }
}

template <Scalar S>
SolveReport SystemCourse<S>::without_solution(const RankSides<S>& sides, const FactorizationReport& outcome,
                                              const RankProof& rank) {
  fill_with_nan(sides.x.values);
  return judge<S>({}, outcome, rank, backend_->symbolic().order());
}

// Solves the whole system, with the factors of A11 and of the Schur complement, or with those of A if the former leave its rank
// open.
template <Scalar S>
SolveReport SystemCourse<S>::solve_with_complement(const RankSides<S>& sides, Operation operation, ErrorBounds bounds) {
  const Symbolic& symbolic = backend_->symbolic();
  const SystemReport& system = backend_->report();
  if (!backend_->has_factors()) {
    return without_solution(sides, system.factorization, rank_of_whole(symbolic, system.rank, system.factorization, false));
  }
  settle_whole();
  if (whole_->course) {
    return solve_with_whole(sides, operation, bounds);
  }
  const FactorizationReport& outcome = whole_->report;
  const RankProof rank = rank_of_whole(symbolic, system.rank, outcome, whole_->is_in_doubt);
  const bool has_complement = backend_->has_schur_complement();
  SolveReport report;
  if (!has_complement || outcome.status == FactorizationStatus::not_positive_definite) {
    report = without_solution(sides, outcome, rank);
  } else {
    report = *SolveCourse<S>(*backend_, outcome, rank).run(sides, operation, bounds);  // the factors are in full precision
  }
  if (!has_complement) {
    report.notes.emplace_back(kNoSchurComplementNote);
  }
  if (whole_->is_in_doubt) {
    report.notes.emplace_back(kNoMemoryForWholeNote);
  }
  return report;
}

template <Scalar S>
SolveReport SystemCourse<S>::solve_with_successor(const RankSides<S>& sides, Operation operation, ErrorBounds bounds) {
  SolveReport report = successor_->solve(sides, operation, bounds);
  report.notes.insert(report.notes.begin(), successor_note_);
  return report;
}

template <Scalar S>
SolveReport SystemCourse<S>::solve_with_whole(const RankSides<S>& sides, Operation operation, ErrorBounds bounds) {
  SolveReport report = whole_->course->solve(sides, operation, bounds);
  const std::vector<std::string>& notes = whole_->course->report().notes;
  report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
  report.notes.insert(report.notes.begin(), whole_once_more_note(backend_->has_schur_complement()));
  return report;
}

// Factors of lower precision that other threads may be using are kept, and count against the limit.
template <Scalar S>
void SystemCourse<S>::make_full() {
  const std::lock_guard lock(making_successor_);
  if (successor_) {
    return;
  }
  const bool gives_up_lower = !backend_->team().has_callers_side_by_side();
  if (gives_up_lower) {
    has_given_up_lower_ = true;
    backend_->release_factors();
    backend_->state().levels.reset();
    backend_->state().scaling = std::make_shared<const Scaling<RealOf<S>>>();
  }
  SolverOptions options = options_beside(gives_up_lower ? 0 : backend_->report().factorization.factor_bytes);
  options.mixed_precision = false;
  auto full = std::make_unique<SystemCourse>(backend_->with_options(std::move(options), false), notes_);
  full->factorize();
  succeed_by(std::move(full), kMixedFailedNote);
}

template <Scalar S>
void SystemCourse<S>::succeed_by(std::unique_ptr<SystemCourse> successor, std::string note) {
  successor_ = std::move(successor);
  successor_note_ = std::move(note);
  current_ = successor_.get();
}

// Leaves room for factors of this many bytes in addition to another factorization.
template <Scalar S>
SolverOptions SystemCourse<S>::options_beside(Count bytes) const {
  SolverOptions options = backend_->options();
  options.observer = std::make_shared<ObserverWithoutProgress>(options.observer);
  Count& limit = options.factorization.memory_limit;
  if (limit > 0) {
    limit = std::max(limit - bytes / backend_->team().size(), kNoMemoryIsLeft);
  }
  return options;
}

// Called once: if the rank is in doubt, factorizes without a Schur complement, as if none had been requested.
template <Scalar S>
void SystemCourse<S>::settle_whole() {
  const std::lock_guard lock(settling_);
  if (whole_) {
    return;
  }
  Whole whole{.report = backend_->report().factorization, .is_in_doubt = false, .course = {}};
  if (backend_->has_schur_complement()) {
    factorize_complement(whole.report);
  }
  if (whole.report.status != FactorizationStatus::not_positive_definite) {
    whole.is_in_doubt = whole.report.status == FactorizationStatus::singular || is_rank_in_doubt();
  }
  if (whole.is_in_doubt) {
    try {
      whole.course = factorize_whole();
    } catch (const MemoryError&) {  // the existing factors are the best available
      leave_in_doubt(whole.report);
    }
  }
  whole_ = std::move(whole);
}

// `outcome`, of A11, becomes that of A.
template <Scalar S>
void SystemCourse<S>::factorize_complement(FactorizationReport& outcome) {
  const Team& team = backend_->team();
  const SolverOptions& options = backend_->options();
  const std::span<const Index> variables = backend_->symbolic().schur_variables();
  const DenseMatrix<S> complement = backend_->schur_complement(false);
  FactorizationStatus status = FactorizationStatus::success;
  std::vector<Index> null_rows;
  std::unique_ptr<SchurFactor<S>> factor;
  team.agree_on_leader([&] {
    SchurFactorOptions<S> how;
    how.method = backend_->report().method;
    if (!options.method) {
      how.fallback = indefinite_method<S>(backend_->matrix().stored.pattern.symmetry);
    }
    how.row_scaling = permuted<RealOf<S>>(backend_->row_scaling(), variables);
    how.col_scaling = permuted<RealOf<S>>(backend_->col_scaling(), variables);
    how.tolerances = backend_->state().schur_tolerances;
    how.relative_null =
        static_cast<RealOf<S>>(relative_null_threshold<S>(backend_->symbolic().order(), options.factorization.pivoting));
    how.num_threads = number_of_threads(options.factorization.num_threads);
    factor = std::make_unique<SchurFactor<S>>(complement, std::move(how));
    status = factor->status();
    null_rows = factor->null_rows();
  });
  backend_->take_schur_factor(std::move(factor));
  share_value(team, status);
  share_list(team, null_rows);
  outcome = with_schur_factor(std::move(outcome), status, null_rows, variables);
}

// Uses the factors of both blocks.
template <Scalar S>
bool SystemCourse<S>::is_rank_in_doubt() {
  const double null_threshold =
      relative_null_threshold<S>(backend_->symbolic().order(), backend_->options().factorization.pivoting);
  bool is_in_doubt = false;
  backend_->lead([&](const SolveInPlace<S>& solve) {
    is_in_doubt = is_whole_rank_in_doubt<S>(backend_->matrix().stored, backend_->row_scaling(), backend_->col_scaling(), solve,
                                            null_threshold);
  });
  share_value(backend_->team(), is_in_doubt);
  return is_in_doubt;
}

template <Scalar S>
std::unique_ptr<SystemCourse<S>> SystemCourse<S>::factorize_whole() {
  SolverOptions options = options_beside(backend_->report().factorization.factor_bytes);
  options.analysis.schur_variables.clear();
  auto whole = std::make_unique<SystemCourse>(backend_->with_options(std::move(options), true));
  whole->factorize();
  return whole;
}

// Backends made later copy the options of this one.
template <Scalar S>
void SystemCourse<S>::set_solve_options(const RefinementOptions& refinement, ErrorBounds error_bounds) {
  backend_->set_solve_options(refinement, error_bounds);
  if (successor_) {
    successor_->set_solve_options(refinement, error_bounds);
  }
  if (whole_ && whole_->course) {
    whole_->course->set_solve_options(refinement, error_bounds);
  }
}

template <Scalar S>
void SystemCourse<S>::save(const SavedTarget& target) {
  SystemBackend<S>& with_factors = *current().backend_;
  check_factors_kept(with_factors.state().kept);
  if (with_factors.keeps_schur_complement()) {
    throw UsageError("factors that leave a Schur complement cannot be saved: factorize all variables, or factorize again");
  }
  if (!with_factors.has_factors() && !with_factors.has_lower_factors()) {
    refuse_to_save_nothing(with_factors.report().factorization);
  }
  with_factors.save(target);
}

FROND_INSTANTIATE_CLASS(SystemCourse)

}  // namespace frond
