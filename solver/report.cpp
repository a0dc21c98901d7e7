// SPDX-License-Identifier: BSD-3-Clause
// Outcomes in words.
#include "solver/report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace frond {

namespace {

std::string steps_text(const ColumnReport& errors) {
  return fmt::format("refinement steps: {}{}", errors.refinement_steps,
                     errors.krylov_steps > 0 ? fmt::format(", of GMRES: {}", errors.krylov_steps) : "");
}

std::string condition_text(double condition) {
  return std::isnan(condition) ? std::string() : fmt::format(" (condition number about {:.1e})", condition);
}

// What the bound of the forward error leaves of x; empty if there is none.
std::string digits_text(double bound, double condition, double epsilon) {
  if (std::isnan(bound)) {
    return {};
  }
  const int digits = bound > 0 ? static_cast<int>(std::floor(-std::log10(bound))) : std::numeric_limits<int>::max();
  const auto all_digits = static_cast<int>(std::floor(-std::log10(epsilon)));
  if (bound <= std::sqrt(epsilon)) {
    return fmt::format("; at least {} digits of x are right{}", std::min(digits, all_digits), condition_text(condition));
  }
  const std::string determined = digits > 1    ? fmt::format("only about {} digits of x are", digits)
                                 : digits == 1 ? "only about 1 digit of x is"
                                               : "no digit of x is";
  return fmt::format("; but the matrix is so ill-conditioned{} that {} determined", condition_text(condition), determined);
}

// Whether the right-hand sides of a singular system have solutions.
std::string consistency_text(const SolveReport& report) {
  const auto num_columns = static_cast<Index>(report.columns.size());
  const Index num_met = report.num_met();
  const double error = report.worst().normwise_backward_error;
  if (num_columns == 0) {
    return {};
  }
  if (num_met == num_columns) {
    return fmt::format("; but consistent: x is one of the solutions, backward error {:.1e}", error);
  }
  if (num_met == 0) {
    return fmt::format("; and not consistent: x leaves a backward error of {:.1e}", error);
  }
  return fmt::format("; consistent: {} of {} right-hand sides, the others leave a backward error of up to {:.1e}", num_met,
                     num_columns, error);
}

}  // namespace

Index SolveReport::num_met() const {
  return static_cast<Index>(std::count_if(columns.begin(), columns.end(),
                                          [this](const ColumnReport& column) { return column.normwise_backward_error <= target; }));
}

ColumnReport SolveReport::worst() const {
  ColumnReport worst;
  for (const ColumnReport& column : columns) {
    worst.normwise_backward_error = std::max(worst.normwise_backward_error, column.normwise_backward_error);
    worst.componentwise_backward_error = std::max(worst.componentwise_backward_error, column.componentwise_backward_error);
    worst.refinement_steps = std::max(worst.refinement_steps, column.refinement_steps);
    worst.krylov_steps = std::max(worst.krylov_steps, column.krylov_steps);
    worst.forward_error_bound = std::fmax(worst.forward_error_bound, column.forward_error_bound);
    worst.componentwise_condition = std::fmax(worst.componentwise_condition, column.componentwise_condition);
  }
  return worst;
}

std::string SolveReport::describe() const {
  const ColumnReport errors = worst();
  switch (verdict) {
    case Verdict::solved:
      return fmt::format("solved: backward error {:.1e} (componentwise {:.1e}), {}{}", errors.normwise_backward_error,
                         errors.componentwise_backward_error, steps_text(errors),
                         digits_text(errors.forward_error_bound, condition, epsilon));
    case Verdict::accuracy_missed:
      return fmt::format("accuracy missed: backward error {:.1e} is above {:.1e} ({}); a larger pivot threshold may help",
                         errors.normwise_backward_error, target, steps_text(errors));
    case Verdict::singular:
      return fmt::format("singular: variable {} has no usable pivot; null pivots: {}, numerical rank: {} of {}{}",
                         first_null_pivot + 1, num_null_pivots, order - num_null_pivots, order, consistency_text(*this));
    case Verdict::not_positive_definite:
      return fmt::format("not positive definite: the pivot of variable {} is not positive; use LDLT, or leave the method to Frond",
                         first_null_pivot + 1);
  }
  return {};
}

std::string to_string(Method method) {
  switch (method) {
    case Method::cholesky:
      return "cholesky";
    case Method::ldlt:
      return "ldlt";
    case Method::ldlh:
      return "ldlh";
    case Method::lu:
      return "lu";
  }
  return {};
}

std::string to_string(ScalingKind kind) {
  switch (kind) {
    case ScalingKind::automatic:
      return "automatic";
    case ScalingKind::none:
      return "none";
    case ScalingKind::equilibrate:
      return "equilibrate";
    case ScalingKind::matching:
      return "matching";
  }
  return {};
}

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::solved:
      return "solved";
    case Verdict::accuracy_missed:
      return "accuracy_missed";
    case Verdict::singular:
      return "singular";
    case Verdict::not_positive_definite:
      return "not_positive_definite";
  }
  return {};
}

}  // namespace frond
