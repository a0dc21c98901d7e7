// SPDX-License-Identifier: BSD-3-Clause
// The decisions of one solve, for one process and for several.
#pragma once

#include <optional>
#include <vector>

#include "frond/factorization_report.hpp"
#include "solver/course/solved_columns.hpp"
#include "solver/course/system_backend.hpp"
#include "solver/numerics/problem/rank_proof.hpp"
#include "solver/numerics/problem/report.hpp"

namespace frond {

//   sweeps ──► RefinementCourse ── stalls ──► KrylovCourse: GMRES with the factors
//                      └─────────────┬───────────────┘
//                              is x accurate? ── no, by factors of lower precision ──► nothing: SystemCourse makes full ones
//                                    │ else
//                 regular: condition number, bounds of the forward error
//                 singular: is the system consistent?
//                                    │
//                            report with a verdict ── accuracy missed ──► SystemCourse tries other factors

/// op(A) X = B with the factors that there are: refined, judged, and as far as that is asked for with bounds of the errors; of
/// singular systems with a word on whether they have solutions.
template <Scalar S>
class SolveCourse {
 public:
  /// `outcome` and `rank` are those of all of A. What is referred to outlives the course.
  SolveCourse(SystemBackend<S>& backend, const FactorizationReport& outcome, const RankProof& rank)
      : backend_(backend), outcome_(outcome), rank_(rank) {}

  /// Nothing, and an X that does not count, where factors of lower precision do not reach the accuracy of the matrix's. Throws what
  /// the backend throws.
  [[nodiscard]] std::optional<SolveReport> run(const RankSides<S>& sides, Operation operation, ErrorBounds bounds);

 private:
  [[nodiscard]] std::optional<SolveReport> run_stored(const RankSides<S>& sides, Operation operation, ErrorBounds bounds);
  [[nodiscard]] Index num_columns_bounded(ErrorBounds bounds, Index num_columns) const;
  void note_consistency(Operation operation, const SolvedColumns<S>& solved, SolveReport& report);
  [[nodiscard]] bool bound_errors(Operation operation, const SolvedColumns<S>& solved, SolveReport& report);

  SystemBackend<S>& backend_;
  const FactorizationReport& outcome_;
  const RankProof& rank_;
};

}  // namespace frond
