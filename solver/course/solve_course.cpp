// SPDX-License-Identifier: BSD-3-Clause
// Solves, measures, judges and bounds.
#include "solver/course/solve_course.hpp"

#include <algorithm>
#include <utility>

#include "frond/dense.hpp"
#include "matrices/steady_clock.hpp"
#include "solver/numerics/accuracy/backward_error.hpp"
#include "solver/numerics/accuracy/condition.hpp"
#include "solver/numerics/accuracy/corrected_solve.hpp"
#include "solver/numerics/accuracy/error_bound.hpp"
#include "solver/numerics/answers/consistency.hpp"
#include "solver/numerics/verdict/outcome.hpp"

namespace frond {

// Solves with op(A) for A as it is stored.
template <Scalar S>
std::optional<SolveReport> SolveCourse<S>::run(const RankSides<S>& given, Operation asked, ErrorBounds bounds) {
  const bool is_singular = outcome_.status == FactorizationStatus::singular;
  std::optional<SolveReport> report;
  backend_.as_stored(asked, given, [&](Operation operation, const RankSides<S>& sides) {
    SolvedColumns<S> solved(is_singular ? sides.num_columns : num_columns_bounded(bounds, sides.num_columns));
    std::vector<ColumnReport> columns = backend_.solve(operation, sides, solved);
    if (backend_.has_lower_factors() && std::any_of(columns.begin(), columns.end(), is_inaccurate<S>)) {
      return;
    }
    report = judge<S>(std::move(columns), outcome_, rank_, backend_.symbolic().order());
    if (!backend_.keeps_schur_complement()) {
      report->equilibrated_condition = backend_.report().equilibrated_condition;
    }
    if (is_singular) {
      note_consistency(operation, solved, *report);
    } else if (!bound_errors(operation, solved, *report)) {
      if (backend_.has_lower_factors()) {
        report.reset();
      } else {
        report->notes.emplace_back(kNoBoundNote);
      }
    }
  });
  return report;
}

template <Scalar S>
SolveReport SolveCourse<S>::run_unmeasured(const RankSides<S>& given, Operation asked) {
  backend_.as_stored(asked, given,
                     [&](Operation operation, const RankSides<S>& sides) { backend_.sweep({.operation = operation}, sides); });
  SolveReport report = judge_unmeasured<S>(given.num_columns, rank_, backend_.symbolic().order());
  report.equilibrated_condition = backend_.report().equilibrated_condition;
  return report;
}

template <Scalar S>
Index SolveCourse<S>::num_columns_bounded(ErrorBounds bounds, Index num_columns) const {
  // If the rank is in doubt, the quality of the factors is unknown, but corrected solves measure it.
  const bool is_proved = rank_.status != RankVerdict::in_doubt || backend_.has_neighbours_factors();
  return is_proved ? num_bounded_columns(bounds, outcome_.status, num_columns) : 0;
}

template <Scalar S>
void SolveCourse<S>::note_consistency(Operation operation, const SolvedColumns<S>& solved, SolveReport& report) {
  const bool has_pivots_of_a = !backend_.keeps_schur_complement() && !backend_.has_neighbours_factors();
  backend_.lead([&](const SolveInPlace<S>& solve) {
    std::vector<SolvedColumn<S>> columns;
    columns.reserve(static_cast<std::size_t>(solved.size()));
    for (Index j = 0; j < solved.size(); ++j) {
      columns.push_back({solved.b(j), solved.x(j), &report.columns[j]});
    }
    measure_consistency<S>({backend_.matrix().stored, operation, report.null_pivots, backend_.report().is_singular_by_condition,
                            backend_.options().factorization.num_threads},
                           has_pivots_of_a ? solve : SolveInPlace<S>(), columns);
  });
  backend_.team().share(std::as_writable_bytes(std::span(report.columns)));
}

// Returns false, without bounds, if the factors are too far from the matrix for an estimate.
template <Scalar S>
bool SolveCourse<S>::bound_errors(Operation operation, const SolvedColumns<S>& solved, SolveReport& report) {
  if (solved.num_wanted() == 0) {
    return true;
  }
  const double begin = steady_seconds();
  const SystemMatrix<S> matrix = backend_.matrix();
  Estimated<double> condition;
  std::vector<ForwardError> errors(static_cast<std::size_t>(solved.num_wanted()));
  backend_.lead([&](const SolveInPlace<S>& by_factors) {
    CorrectedSolve<S> corrected(matrix.stored, backend_.row_scaling(), backend_.col_scaling(), by_factors);
    const SolveInPlace<S> solve = backend_.has_neighbours_factors() ? corrected.as_function() : by_factors;
    condition.value = estimate_condition<S>(matrix.stored, matrix.transposed, solve);
    const BackwardErrorMeter<S> meter(matrix.stored, operation, backend_.unknown_scales(operation));
    for (Index j = 0; j < solved.num_wanted() && corrected.is_trusted(); ++j) {
      errors[j] = estimate_forward_error<S>(matrix.stored, operation, meter, solved.b(j), solved.x(j), solve);
    }
    condition.is_trusted = corrected.is_trusted();
  });
  share_value(backend_.team(), condition);
  backend_.team().share(std::as_writable_bytes(std::span(errors)));
  report.bound_seconds = steady_seconds() - begin;
  if (!condition.is_trusted) {
    return false;
  }
  report.condition = condition.value;
  for (std::size_t j = 0; j < errors.size(); ++j) {
    note_forward_error(errors[j], report.columns[j]);
  }
  return true;
}

FROND_INSTANTIATE_CLASS(SolveCourse)

}  // namespace frond
