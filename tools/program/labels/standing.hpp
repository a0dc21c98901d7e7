// SPDX-License-Identifier: BSD-3-Clause
// Compares how solvers do on the matrices of a labelled collection.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tools/program/bench/peer_answer.hpp"
#include "tools/program/labels/label_check.hpp"

namespace frond {

/// The outcome of a solver on a matrix.
enum class SolverOutcome {
  solved,      ///< to the requested errors
  in_norm,     ///< to the requested normwise error, but not to the componentwise one
  inaccurate,  ///< an answer with larger errors
  refused,     ///< it reported that it has no answer, or ended without one
  over_limit,  ///< of time or memory
  no_part      ///< the solver is not for such matrices
};
inline constexpr std::size_t kNumOutcomes = 6;

[[nodiscard]] std::string to_string(SolverOutcome outcome);

/// A peer without a componentwise error is judged by the normwise one.
[[nodiscard]] SolverOutcome outcome_of(const PeerAnswer& answer, const LargestErrors& largest);
[[nodiscard]] SolverOutcome outcome_of(const LabelCheck& check);

/// The outcomes of one solver.
struct Standing {
  std::string solver;
  std::array<std::array<int, kNumOutcomes>, 3> counts{};  ///< [LabelKind][SolverOutcome]

  void count(LabelKind kind, SolverOutcome outcome) { ++counts[static_cast<std::size_t>(kind)][static_cast<std::size_t>(outcome)]; }
};

/// A table for people: a line for each solver and kind of matrices.
[[nodiscard]] std::string describe(const std::vector<Standing>& standings);

}  // namespace frond
