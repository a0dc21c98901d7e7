// SPDX-License-Identifier: BSD-3-Clause
// Makes the decisions of a factorization, for one process and for several.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "frond/error.hpp"
#include "solver/course/system_backend.hpp"
#include "solver/numerics/accuracy/condition.hpp"
#include "solver/numerics/scaling/scaling.hpp"
#include "solver/numerics/verdict/runaway.hpp"

namespace frond {

/// Leads from a system to its factors and the proof of its rank: precision, method, scales, pivots, levels, proof.
///
///   mixed precision, if requested ──► lower factors, if they suffice
///        │ else
///   the method, and another if that is Cholesky and fails ──► factors ──► proof of the rank
///        │ where levels of a block triangular form leave the rank open
///   again, the matrix as a whole ──► factors ──► proof of the rank
///
/// Each factorization takes a way (runaway.hpp), and the proof may take others (proof_search.hpp). Scales are found once for each
/// kind, unless those of other values are kept; a matrix is singular, or its rank in doubt, only with scales of its own. Throws
/// what the backend throws, and UsageError for options that exclude each other. The backend, whose state is written, must outlive
/// the course.
template <Scalar S>
class FactorizationCourse {
 public:
  /// A factorization that exceeds `budget` ends in BudgetError; without one, those that have an alternative get a budget of their
  /// own.
  explicit FactorizationCourse(SystemBackend<S>& backend, const WorkBudget& budget = {})
      : backend_(backend), budget_(budget), state_(backend.state()), scales_(backend.known_scales()) {}

  void run();

  /// The way that the options request, with the budget of a factorization in F that is an alternative to another one.
  template <Scalar F>
  [[nodiscard]] FactorizationWay way_of_attempt(Method method) const;
  /// Finds the scales of the way, and records both.
  void take(const FactorizationWay& way);

 private:
  [[nodiscard]] bool keeps_schur_complement() const { return backend_.keeps_schur_complement(); }
  [[nodiscard]] FactorizationReport& pivots() { return state_.report.factorization; }
  [[nodiscard]] FactorizationWay asked_way(Method method) const;
  [[nodiscard]] bool is_rank_full() const;
  void run_in_full();
  [[nodiscard]] bool run_in_lower(Method method);
  void join_levels();
  void factorize_and_look();
  void factorize_on_some_way(Method method);
  void note_delays(double first_threshold, const DelayLimits& limits);
  void factorize(const FactorizationWay& way);
  [[nodiscard]] std::shared_ptr<const Scaling<RealOf<S>>> with_small_variables(const Scaling<RealOf<S>>& scaling,
                                                                               std::span<const Index> variables) const;
  void note_schur_tolerances();
  void settle_by_structure(const MemoryError& error);
  void prove_rank();
  void leave_complement_alone();
  void look_at_structure();
  void lead(const std::function<void(const SolveInPlace<S>& solve)>& work);
  [[nodiscard]] ProofEvidence examine(const std::function<ProofEvidence(const ScaledSystem<S>&)>& look);
  [[nodiscard]] ConditionEstimate estimate_equilibrated_condition();

  SystemBackend<S>& backend_;
  WorkBudget budget_;
  FactorizationState<S>& state_;
  std::shared_ptr<const Scaling<RealOf<S>>> units_ = {};  // the scales of the way, before its last variables are scaled down
  FoundScales scales_;
};

/// The known rank of all of A; if the factors leave a Schur complement, from `whole`, which covers both, unless that leaves it in
/// doubt.
[[nodiscard]] RankProof rank_of_whole(const Symbolic& symbolic, const RankProof& of_factors, const FactorizationReport& whole,
                                      bool is_in_doubt);

}  // namespace frond
