// SPDX-License-Identifier: BSD-3-Clause
// Makes the decisions of one solve, for one process and for several.
#pragma once

#include <optional>

#include "frond/factorization_report.hpp"
#include "solver/course/solved_columns.hpp"
#include "solver/course/system_backend.hpp"
#include "solver/numerics/problem/rank_proof.hpp"
#include "solver/numerics/problem/report.hpp"

namespace frond {

/// Solves op(A) X = B with the existing factors: refined, judged, and if requested with error bounds; for singular systems it
/// decides whether they are consistent.
template <Scalar S>
class SolveCourse {
 public:
  /// `outcome` and `rank` are those of all of A. Referenced objects must outlive the course.
  SolveCourse(SystemBackend<S>& backend, const FactorizationReport& outcome, const RankProof& rank)
      : backend_(backend), outcome_(outcome), rank_(rank) {}

  /// Returns nothing, and leaves X undefined, if factors of lower precision do not reach the accuracy of the matrix's precision.
  /// Throws what the backend throws.
  [[nodiscard]] std::optional<SolveReport> run(const RankSides<S>& given, Operation asked, ErrorBounds bounds);

  /// Neither refines nor measures X. The factors are those of the matrix, and these are all that is judged.
  [[nodiscard]] SolveReport run_unmeasured(const RankSides<S>& given, Operation asked);

 private:
  [[nodiscard]] Index num_columns_bounded(ErrorBounds bounds, Index num_columns) const;
  void note_consistency(Operation operation, const SolvedColumns<S>& solved, SolveReport& report);
  [[nodiscard]] bool bound_errors(Operation operation, const SolvedColumns<S>& solved, SolveReport& report);

  SystemBackend<S>& backend_;
  const FactorizationReport& outcome_;
  const RankProof& rank_;
};

}  // namespace frond
