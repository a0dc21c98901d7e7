// SPDX-License-Identifier: BSD-3-Clause
// States the reasons in words.
#include "solver/numerics/verdict/half_factors.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "solver/numerics/accuracy/condition.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/verdict/outcome.hpp"

namespace frond {

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

template <Scalar S>
std::string doubt_about_pivots(const FactorizationReport& report) {
  if (report.status == FactorizationStatus::success && !may_hide_singularity<S>(report)) {
    return {};
  }
  return report.num_perturbed_pivots > 0 ? "static pivoting has enlarged pivots, and X needs refinement"
                                         : "the matrix looks singular, or nearly so";
}

template <Scalar S>
std::string doubt_about_solution(const SolveReport& report) {
  return std::none_of(report.columns.begin(), report.columns.end(), is_inaccurate<S>)
             ? std::string()
             : fmt::format("X needs refinement, its componentwise backward error being {:.1e}",
                           report.worst().componentwise_backward_error);
}

std::string kept_all_note(const std::string& reason) { return "all factors were kept: " + reason; }

std::string factorized_again_note(const std::string& reason) { return "factorized again, keeping all factors: " + reason; }

#define FROND_INSTANTIATE(S)                                              \
  template std::string doubt_about_pivots<S>(const FactorizationReport&); \
  template std::string doubt_about_solution<S>(const SolveReport&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
