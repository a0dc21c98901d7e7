// SPDX-License-Identifier: BSD-3-Clause
// Describes outcomes in words.
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/problem/rank_proof.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "matrices/words.hpp"

namespace frond {

namespace {

constexpr Words<Method, 4> kMethodWords{"method", {"cholesky", "ldlt", "ldlh", "lu"}};
constexpr Words<ScalingKind, 5> kScalingWords{"scaling", {"automatic", "none", "equilibrate", "matching", "given"}};
constexpr Words<Verdict, 6> kVerdictWords{
    "verdict", {"solved", "accuracy_missed", "singular", "not_positive_definite", "rank_in_doubt", "unmeasured"}};
constexpr Words<Consistency, 4> kConsistencyWords{"consistency", {"not_measured", "consistent", "inconsistent", "in_doubt"}};

std::string steps_text(const ColumnReport& errors) {
  return fmt::format("refinement steps: {}{}", errors.refinement_steps,
                     errors.krylov_steps > 0 ? fmt::format(", of GMRES: {}", errors.krylov_steps) : "");
}

std::string condition_text(double condition) {
  return std::isnan(condition) ? std::string() : fmt::format(" (condition number about {:.1e})", condition);
}

// The number of correct digits of a number with that relative error.
int digits_of(double error) {
  return error > 0 ? static_cast<int>(std::clamp(std::floor(-std::log10(error)), 0.0, 1000.0)) : std::numeric_limits<int>::max();
}

// What a condition number alone implies for x: nothing unless it is large.
std::string warning_text(double condition, double epsilon) {
  if (!(condition * epsilon > std::sqrt(epsilon))) {
    return {};
  }
  return fmt::format(
      "; the equilibrated matrix is ill-conditioned (condition number about {:.1e}): errors of x may reach {:.0e} of its size",
      condition, std::min(condition * epsilon, 1.0));
}

// The correct digits of x by the bounds of the forward error, and in how many columns if some have none.
std::string digits_text(const SolveReport& report) {
  const auto num_bounded = std::count_if(report.columns.begin(), report.columns.end(),
                                         [](const ColumnReport& column) { return !std::isnan(column.forward_error_bound); });
  if (num_bounded == 0) {
    return warning_text(report.equilibrated_condition, report.epsilon);
  }
  const auto num_columns = static_cast<std::ptrdiff_t>(report.columns.size());
  const double bound = report.worst().forward_error_bound;
  const std::string condition = condition_text(report.condition);
  if (bound <= std::sqrt(report.epsilon)) {
    const int digits = std::min(digits_of(bound), digits_of(report.epsilon));
    return num_bounded == num_columns
               ? fmt::format("; at least {} digits of x are right{}", digits, condition)
               : fmt::format("; at least {} digits of x are right in {} of {} columns{}, the others have no bound{}", digits,
                             num_bounded, num_columns, condition, warning_text(report.equilibrated_condition, report.epsilon));
  }
  const int digits = digits_of(bound);
  const std::string determined = digits > 1    ? fmt::format("only about {} digits of x are", digits)
                                 : digits == 1 ? "only about 1 digit of x is"
                                               : "no digit of x is";
  return fmt::format("; but the matrix is so ill-conditioned{} that {} determined", condition, determined);
}

// NaN, which stands for an error that is not known, prevails.
double larger(double error, double other) { return std::isnan(other) || other > error ? other : error; }

std::string errors_text(const ColumnReport& errors) {
  return fmt::format("backward error {:.1e} (componentwise {:.1e})", errors.normwise_backward_error,
                     errors.componentwise_backward_error);
}

// How equations among rounding errors qualify "solved".
std::string negligible_text(const ColumnReport& errors) {
  const Index count = errors.num_negligible_equations;
  return count == 0 ? std::string()
                    : fmt::format(", but for {} {} among rounding errors, whose terms are at most {:.0e} of the largest", count,
                                  count == 1 ? "equation" : "equations", errors.negligible_size);
}

// What missed the target, and by how much.
std::string missed_text(const SolveReport& report, const ColumnReport& errors) {
  if (!(errors.normwise_backward_error <= report.target)) {
    return fmt::format("backward error {:.1e} is above {:.1e}", errors.normwise_backward_error, report.target);
  }
  const Index count = errors.num_missed_equations;
  return fmt::format("backward error {:.1e}, but {} {} met only to {:.1e} of {} terms", errors.normwise_backward_error, count,
                     count == 1 ? "equation is" : "equations are", errors.improvable_backward_error, count == 1 ? "its" : "their");
}

// Whether right-hand sides of a singular system have solutions.
std::string consistency_text(const SolveReport& report) {
  const auto num_columns = static_cast<Index>(report.columns.size());
  const Index num_met = report.num_met();
  const double error = report.worst().consistency_error;
  if (num_columns == 0) {
    return {};
  }
  if (num_met == num_columns) {
    return fmt::format("; but consistent: x is one of the solutions, backward error {:.1e}", error);
  }
  if (num_met > 0) {
    return fmt::format("; consistent: {} of {} right-hand sides, the others leave a backward error of up to {:.1e}", num_met,
                       num_columns, error);
  }
  return report.consistency() == Consistency::inconsistent
             ? fmt::format("; and not consistent: x leaves a backward error of {:.1e}", error)
             : fmt::format("; x leaves a backward error of {:.1e}, and whether the system is consistent is not known", error);
}

std::string doubt_text(const SolveReport& report) { return "rank in doubt: " + describe_bounds(report.rank, report.order); }

// Describes the part without pivots, whether it is proved to be singular or not.
std::string null_pivots_text(const SolveReport& report) {
  const RankProof& proof = report.rank;
  const Index by_pivots = report.order - report.num_null_pivots();
  const Index rank = is_proved_singular(proof) ? proof.highest : by_pivots;
  const bool has_rank = proof.is_certain() || proof.highest == report.order;
  return fmt::format("variable {} (counted from 1) has no usable pivot; null pivots: {}{}, numerical rank: {}{}",
                     report.null_pivots.empty() ? 0 : report.null_pivots.front() + 1, report.num_null_pivots(),
                     has_rank && rank != by_pivots ? fmt::format(" ({} by the rank)", report.order - rank) : "",
                     has_rank ? fmt::format("{} of {}", rank, report.order) : describe_bounds(proof, report.order),
                     consistency_text(report));
}

std::string doubt_behind(const SolveReport& report) {
  return report.rank.status == RankVerdict::in_doubt ? "; " + doubt_text(report) : std::string();
}

}  // namespace

Index SolveReport::num_met() const {
  return static_cast<Index>(std::count_if(columns.begin(), columns.end(), [this](const ColumnReport& column) {
    return verdict == Verdict::singular ? column.consistency == Consistency::consistent
                                        : column.num_missed_equations == 0 && column.normwise_backward_error <= target;
  }));
}

Consistency SolveReport::consistency() const {
  Consistency all = Consistency::not_measured;
  for (const ColumnReport& column : columns) {
    const bool decides =
        all == Consistency::not_measured || all == Consistency::consistent || column.consistency == Consistency::inconsistent;
    all = decides ? column.consistency : all;
  }
  return all;
}

ColumnReport SolveReport::worst() const {
  ColumnReport worst;
  for (const ColumnReport& column : columns) {
    worst.normwise_backward_error = larger(worst.normwise_backward_error, column.normwise_backward_error);
    worst.componentwise_backward_error = larger(worst.componentwise_backward_error, column.componentwise_backward_error);
    worst.improvable_backward_error = std::max(worst.improvable_backward_error, column.improvable_backward_error);
    worst.num_missed_equations = std::max(worst.num_missed_equations, column.num_missed_equations);
    worst.num_negligible_equations = std::max(worst.num_negligible_equations, column.num_negligible_equations);
    worst.negligible_size = std::max(worst.negligible_size, column.negligible_size);
    worst.refinement_steps = std::max(worst.refinement_steps, column.refinement_steps);
    worst.krylov_steps = std::max(worst.krylov_steps, column.krylov_steps);
    worst.forward_error_bound = std::fmax(worst.forward_error_bound, column.forward_error_bound);
    worst.componentwise_condition = std::fmax(worst.componentwise_condition, column.componentwise_condition);
    worst.consistency_error = std::fmax(worst.consistency_error, column.consistency_error);
  }
  return worst;
}

std::string SolveReport::describe() const {
  const ColumnReport errors = worst();
  const Index first_null_pivot = null_pivots.empty() ? 0 : null_pivots.front() + 1;
  switch (verdict) {
    case Verdict::solved:
      return fmt::format("solved{}: {}, {}{}{}", negligible_text(errors), errors_text(errors), steps_text(errors),
                         digits_text(*this), doubt_behind(*this));
    case Verdict::accuracy_missed:
      return fmt::format("accuracy missed: {} ({}); a larger pivot threshold may help{}", missed_text(*this, errors),
                         steps_text(errors), doubt_behind(*this));
    case Verdict::singular:
      return rank.status == RankVerdict::in_doubt && rank.highest == order
                 ? doubt_text(*this) + "; as far as pivots say, " + null_pivots_text(*this)
                 : "singular: " + null_pivots_text(*this);
    case Verdict::rank_in_doubt:
      return doubt_text(*this);
    case Verdict::unmeasured:
      return "x is what the factors give: it was neither refined nor measured, and nothing but the pivots was judged" +
             warning_text(equilibrated_condition, epsilon) + doubt_behind(*this);
    case Verdict::not_positive_definite:
      return fmt::format(
          "not positive definite: the pivot of variable {} (counted from 1) is not positive; use LDLT, or leave the method to "
          "Frond",
          first_null_pivot);
  }
  return {};
}

std::string to_string(Method method) { return std::string(kMethodWords.name(method)); }
std::string to_string(ScalingKind kind) { return std::string(kScalingWords.name(kind)); }
std::string to_string(Verdict verdict) { return std::string(kVerdictWords.name(verdict)); }
std::string to_string(Consistency consistency) { return std::string(kConsistencyWords.name(consistency)); }

std::vector<RankReport> rank_reports_of(std::span<const RankRunCounts> counts) {
  std::vector<RankReport> reports;
  reports.reserve(counts.size());
  for (const RankRunCounts& rank : counts) {
    reports.push_back({.flops = rank.flops_done,
                       .peak_bytes = rank.peak_bytes,
                       .peak_active_bytes = rank.peak_active_bytes,
                       .num_messages = rank.main.sent.messages,
                       .message_bytes = rank.main.sent.bytes,
                       .num_load_messages = rank.load_sent.total_messages(),
                       .seconds = rank.task_seconds});
  }
  return reports;
}

}  // namespace frond
