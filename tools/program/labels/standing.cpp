// SPDX-License-Identifier: BSD-3-Clause
// Judges answers, and prints the table.
#include "tools/program/labels/standing.hpp"

#include <fmt/format.h>

#include <numeric>

namespace frond {
namespace {

constexpr std::array<const char*, kNumOutcomes> kOutcomes = {"solved",  "in norm only",    "inaccurate",
                                                             "refused", "over the limits", "no part"};
constexpr std::array<const char*, 3> kKinds = {"nonsingular", "nearly singular", "singular"};

}  // namespace

std::string to_string(SolverOutcome outcome) { return kOutcomes[static_cast<std::size_t>(outcome)]; }

SolverOutcome outcome_of(const PeerAnswer& answer, const LargestErrors& largest) {
  if (!answer.skipped.empty()) {
    return SolverOutcome::no_part;
  }
  if (!answer.error.empty()) {
    return answer.is_over_limit ? SolverOutcome::over_limit : SolverOutcome::refused;
  }
  if (!(answer.backward_error <= largest.normwise)) {
    return SolverOutcome::inaccurate;
  }
  return answer.componentwise_backward_error > largest.componentwise ? SolverOutcome::in_norm : SolverOutcome::solved;
}

SolverOutcome outcome_of(const LabelCheck& check) {
  if (check.agreement == Agreement::over_limit) {
    return SolverOutcome::over_limit;
  }
  if (check.is_solved) {
    return SolverOutcome::solved;
  }
  if (check.verdict != "solved") {
    return SolverOutcome::refused;
  }
  return check.is_solved_in_norm ? SolverOutcome::in_norm : SolverOutcome::inaccurate;
}

std::string describe(const std::vector<Standing>& standings) {
  std::string text;
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    const std::array<int, kNumOutcomes>& any = standings.front().counts[kind];
    text += fmt::format("{:<24}", fmt::format("{} {}", std::accumulate(any.begin(), any.end(), 0), kKinds[kind]));
    for (const char* outcome : kOutcomes) {
      text += fmt::format("{:>17}", outcome);
    }
    text += '\n';
    for (const Standing& standing : standings) {
      text += fmt::format("  {:<22}", standing.solver);
      for (const int count : standing.counts[kind]) {
        text += fmt::format("{:>17}", count);
      }
      text += '\n';
    }
  }
  return text;
}

}  // namespace frond
