// SPDX-License-Identifier: BSD-3-Clause
// Compares a record of frond solve with a label.
#include "tools/program/labels/label_check.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "tools/program/process/exit_code.hpp"

namespace frond {
namespace {

// Labels go by singular values, Frond by changes of entries relative to their own size: between the two the rank is in doubt, and
// the bounds must contain the label's rank. Bounds that leave everything open contain it, too, but are worthless.
bool is_doubt_about(const LabelledMatrix& matrix, const nlohmann::json& run) {
  return run["rank_verdict"] == "in_doubt" && matrix.rank && run["rank_lowest"].get<Index>() > 0 &&
         run["rank_lowest"].get<Index>() <= *matrix.rank && *matrix.rank <= run["rank_highest"].get<Index>();
}

// Nonsingular: solved to the given error. Singular: reported as such, with the pivot named. Nearly singular: either.
bool agrees(LabelKind kind, const nlohmann::json& run, int exit_code, double largest_error) {
  const bool is_solved = exit_code == static_cast<int>(ExitCode::success) && run["backward_error"].is_number() &&
                         run["backward_error"].get<double>() <= largest_error;
  const bool is_singular = exit_code == static_cast<int>(ExitCode::not_solved) && run["verdict"] == "singular" &&
                           run["first_null_pivot"].get<Index>() > 0;
  if (kind == LabelKind::nonsingular) {
    return is_solved;
  }
  return kind == LabelKind::nearly_singular ? is_solved || is_singular : is_singular;
}

// Compares an estimate from below of the 1-norm condition number with one in the 2-norm: they differ by at most a factor of the
// order, and estimates are rarely below a third. Condition numbers above this are rounding errors.
constexpr double kLargestCondition = 1e14;

bool contradicts(double estimate, double condition, Index order) {
  const double widest = 10.0 * std::max(order, Index{1});
  return condition <= kLargestCondition && (estimate < condition / widest || estimate > condition * widest);
}

// Checks rank, inertia and condition number if they are known beyond doubt, the componentwise error, and the bound of the forward
// error against the error.
std::vector<std::string> contradictions_of(const LabelledMatrix& matrix, const nlohmann::json& run) {
  std::vector<std::string> found;
  const bool is_in_doubt = matrix.kind() == LabelKind::nearly_singular || is_doubt_about(matrix, run);
  const bool is_singular = matrix.kind() == LabelKind::singular;
  const Index rank = run["rank_verdict"] == "in_doubt" ? run["n"].get<Index>() - run["null_pivots"].get<Index>()
                                                       : run["rank_highest"].get<Index>();
  if (matrix.rank && is_singular && rank != *matrix.rank && !is_doubt_about(matrix, run)) {
    found.push_back(fmt::format("rank {} instead of {}", rank, *matrix.rank));
  }
  if (matrix.inertia && !is_in_doubt && run["inertia"].is_object()) {
    const nlohmann::json& told = run["inertia"];
    const std::array<Index, 3> inertia = {told["positive"].get<Index>(), told["negative"].get<Index>(), told["zero"].get<Index>()};
    if (inertia != *matrix.inertia) {
      found.push_back(fmt::format("inertia {} instead of {}", fmt::join(inertia, "/"), fmt::join(*matrix.inertia, "/")));
    }
  }
  const nlohmann::json& condition = run["condition_number"];
  if (matrix.condition && !is_in_doubt && !is_singular && condition.is_number() &&
      contradicts(condition.get<double>(), *matrix.condition, run["n"].get<Index>())) {
    found.push_back(fmt::format("condition number {:.1e} instead of {:.1e}", condition.get<double>(), *matrix.condition));
  }
  if (run["verdict"] == "solved") {
    const nlohmann::json& componentwise = run["componentwise_backward_error"];
    if (!componentwise.is_number() || run["missed_equations"] != 0) {
      found.push_back("componentwise error " + componentwise.dump());
    }
    const nlohmann::json& bound = run["forward_error_bound"];
    if (run["forward_error"].is_number() && bound.is_number() && run["forward_error"].get<double>() > bound.get<double>()) {
      found.push_back(fmt::format("forward error {} above its bound {}", run["forward_error"].dump(), bound.dump()));
    }
  }
  return found;
}

// Returns the line that reports the error, or the first one.
std::string told_error(const std::string& lines) {
  const std::size_t found = lines.find("frond: error:");
  const std::size_t begin = found == std::string::npos ? 0 : found;
  return lines.substr(begin, lines.find('\n', begin) - begin);
}

}  // namespace

LabelCheck check_label(const LabelledMatrix& matrix, const ChildResult& child, const LargestErrors& largest) {
  LabelCheck check;
  if (child.timed_out || child.exit_code == static_cast<int>(ExitCode::out_of_memory)) {
    check.verdict = child.timed_out ? "over the time limit" : "over the memory limit";
    check.agreement = Agreement::over_limit;
    return check;
  }
  const nlohmann::json run = nlohmann::json::parse(child.output, nullptr, false);
  if (!run.is_object()) {
    check.verdict = fmt::format("exit code {}: {}", child.exit_code, told_error(child.errors));
    return check;
  }
  check.order = run["n"].dump();
  check.num_entries = run["nnz"].dump();
  check.method = run["method"].get<std::string>();
  check.error = run["backward_error"].is_number() ? fmt::format("{:.1e}", run["backward_error"].get<double>()) : "-";
  check.verdict = run["verdict"].get<std::string>();
  if (run["first_null_pivot"].get<Index>() > 0) {
    check.verdict += fmt::format(" (variable {})", run["first_null_pivot"].get<Index>());
  }
  check.contradictions = contradictions_of(matrix, run);
  if (run["componentwise_backward_error"].is_number()) {
    check.componentwise_error = run["componentwise_backward_error"].get<double>();
  }
  check.is_solved_in_norm =
      run["verdict"] == "solved" && run["backward_error"].is_number() && run["backward_error"].get<double>() <= largest.normwise;
  check.is_solved = check.is_solved_in_norm && run["missed_equations"] == 0 && run["negligible_equations"] == 0;
  const bool has_doubt = matrix.kind() == LabelKind::singular && is_doubt_about(matrix, run);
  if (has_doubt) {
    check.verdict += fmt::format(", rank in doubt: {} to {}", run["rank_lowest"].dump(), run["rank_highest"].dump());
  }
  const LabelKind kind = has_doubt ? LabelKind::nearly_singular : matrix.kind();
  const bool is_as_labelled = agrees(kind, run, child.exit_code, largest.normwise) && check.contradictions.empty();
  check.agreement = is_as_labelled ? Agreement::yes : Agreement::no;
  return check;
}

}  // namespace frond
