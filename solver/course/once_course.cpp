// SPDX-License-Identifier: BSD-3-Clause
// Solves with half of the factors, judges the result, and repeats with all factors if necessary.
#include "solver/course/once_course.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "frond/error.hpp"
#include "solver/course/factorization_course.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "solver/numerics/verdict/proof_search.hpp"

namespace frond {
namespace {

// The reason why no factors can be discarded; empty if some can. `is_by_rows`: the matrix is stored by rows.
std::string reason_to_keep_all(const Symbolic& symbolic, Method method, bool is_by_rows, const SolverOptions& options) {
  if (method != Method::lu) {
    return "the factor L of a symmetric method serves both sweeps";
  }
  if (is_by_rows) {
    return "the matrix is stored by rows";
  }
  if (symbolic.schur_order() > 0) {
    return "a Schur complement was asked for";
  }
  if (symbolic.blocks().splits()) {
    return "the matrix is taken apart into diagonal blocks, whose right-hand sides depend on solutions";
  }
  if (options.mixed_precision) {
    return "factors in single precision need refinement";
  }
  if (options.error_bounds != ErrorBounds::never) {
    return "error bounds take more solves";
  }
  return {};
}

// Why the pivots make an accurate X unlikely: the matrix may be singular, or is not the one that was factorized. Empty if they do
// not.
template <Scalar S>
std::string doubt_about_pivots(const FactorizationReport& report) {
  if (report.status == FactorizationStatus::success && !may_hide_singularity<S>(report)) {
    return {};
  }
  return report.num_perturbed_pivots > 0 ? "static pivoting has enlarged pivots, and X needs refinement"
                                         : "the matrix looks singular, or nearly so";
}

// Why X, which cannot be refined, is not accurate enough; empty if it is.
template <Scalar S>
std::string doubt_about_solution(const SolveReport& report) {
  return std::none_of(report.columns.begin(), report.columns.end(), is_inaccurate<S>)
             ? std::string()
             : fmt::format("X needs refinement, its componentwise backward error being {:.1e}",
                           report.worst().componentwise_backward_error);
}

}  // namespace

template <Scalar S>
OnceReport OnceCourse<S>::run(const RankSides<S>& sides) {
  OnceReport report = solve(sides);
  report.ranks = rank_reports_of(system_.current().backend().rank_counts());
  return report;
}

template <Scalar S>
OnceReport OnceCourse<S>::solve(const RankSides<S>& sides) {
  std::string reason = reason_to_keep_all(backend_.symbolic(), backend_.method(), backend_.matrix().transposed, backend_.options());
  if (!reason.empty()) {
    return solve_by_all(sides, "all factors were kept: " + reason);
  }
  SolveReport solved;
  try {
    reason = solve_by_half(sides, solved);
  } catch (const MemoryError& error) {  // possibly from delayed pivots that no values can provide
    reason = error.what();
  } catch (const BudgetError& error) {  // from delayed pivots
    reason = error.what();
  }
  return reason.empty() ? OnceReport{backend_.report(), std::move(solved), {}}
                        : solve_by_all(sides, "factorized again, keeping all factors: " + reason);
}

// Eliminates B and A together. Returns why X is not accurate enough; empty if it is.
template <Scalar S>
std::string OnceCourse<S>::solve_by_half(const RankSides<S>& sides, SolveReport& solved) {
  FactorizationState<S>& state = backend_.state();
  system_.begin();
  state.kept = KeptFactors::backward;
  FactorizationCourse<S> course(backend_);
  course.take(course.template way_of_attempt<S>(Method::lu));
  std::string doubt;
  std::vector<ColumnReport> columns =
      backend_.factorize_and_solve(state.way, *state.scaling, sides, [&](const FactorizationReport& report) {
        state.report.factorization = report;
        doubt = doubt_about_pivots<S>(report);
        return doubt.empty();
      });
  if (!doubt.empty()) {
    return doubt;
  }
  const Symbolic& symbolic = backend_.symbolic();
  note_perturbations(state.report);
  presume_rank(state.report, symbolic.order(), symbolic.structural_rank());
  solved = judge<S>(std::move(columns), state.report.factorization, state.report.rank, symbolic.order());
  return doubt_about_solution<S>(solved);
}

template <Scalar S>
OnceReport OnceCourse<S>::solve_by_all(const RankSides<S>& sides, std::string note) {
  backend_.release_factors();
  backend_.state().kept = KeptFactors::all;
  system_.factorize();
  SolveReport solved = system_.solve(sides, Operation::plain, backend_.options().error_bounds);
  OnceReport report{system_.report(), std::move(solved), {}};
  report.system.notes.insert(report.system.notes.begin(), std::move(note));
  return report;
}

FROND_INSTANTIATE_CLASS(OnceCourse)

}  // namespace frond
