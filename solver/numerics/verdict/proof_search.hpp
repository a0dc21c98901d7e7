// SPDX-License-Identifier: BSD-3-Clause
// The search for factors that prove the rank of a matrix, whether they are on one process or on several.
#pragma once

#include <functional>
#include <limits>

#include "factorization/fronts/pivot_tolerances.hpp"
#include "factorization/memory/work_meter.hpp"
#include "frond/analysis_options.hpp"
#include "frond/options.hpp"
#include "solver/numerics/problem/rank_proof.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/verdict/hidden_vectors.hpp"
#include "solver/numerics/verdict/null_vectors.hpp"
#include "solver/numerics/verdict/scaled_system.hpp"

namespace frond {

/// One way to factorize.
struct FactorizationWay {
  Method method = Method::lu;
  PivotingOptions pivoting = {};
  ScalingKind scaling = ScalingKind::automatic;
  WorkBudget budget = {};  ///< beyond which it is given up
  /// Eliminated after all others, so that null pivots come to be there: their entries are made too small for any pivot search.
  FewVariables last_variables = {};

  [[nodiscard]] bool is_like(const FactorizationWay& other) const {
    return method == other.method && scaling == other.scaling && pivoting.kind == other.pivoting.kind &&
           pivoting.pivot_threshold == other.pivoting.pivot_threshold && pivoting.null_threshold == other.pivoting.null_threshold &&
           last_variables == other.last_variables;
  }
};

// How factors are examined; G is the solve with them, tau = 32 eps:
//
//   the rest of A    q = ||I - G A|| and rho(|G| |A|): nonsingular if q is small enough       estimate_contraction(),
//                    and tau rho / (1 - q) < 1; some ten solves                               estimate_bauer_skeel()
//   null pivots      more than the structure explains: z = F2^-1 e_j ──► test                 test_null_pivots()
//                    ──► z -= G (A z) ──► test ──► ..., in blocks of vectors that are not kept
//   no proof of the  block inverse iteration ──► widest gap ──► the identity on as many       find_hidden_vectors()
//   rest             anchors ──► test, as above
//
// z passes if |A z| <= tau |A| |z| in every equation.

/// What factors say of the rank. Bits alone, so that it can be sent.
struct ProofEvidence {
  NullVectorTest nulls;                                           ///< of the null pivots
  NullVectorTest hidden;                                          ///< of null vectors that no pivot shows, if there may be some
  FewVariables anchors;                                           ///< of those that are proved, and unknowns without a pivot
  double bauer_skeel = std::numeric_limits<double>::quiet_NaN();  ///< estimate_bauer_skeel()
  double contraction = std::numeric_limits<double>::quiet_NaN();  ///< estimate_contraction()
  double equilibrated_condition = std::numeric_limits<double>::quiet_NaN();  ///< as in SystemReport, without null pivots
};

/// What the search asks of the system. All calls are collective.
template <Scalar S>
struct ProofPort {
  /// Factorizes anew, keeping the factors, and writes the report; the factors before are released first. Throws MemoryError
  /// and BudgetError.
  std::function<void(const FactorizationWay& way)> factorize;
  std::function<bool()> has_factors;  ///< that were kept
  /// What look(system) finds where the matrix is, with a `solve` in which all take part; everywhere.
  std::function<ProofEvidence(const std::function<ProofEvidence(const ScaledSystem<S>&)>& look)> examine;
};

/// What the search has to know.
struct ProofQuestion {
  Index order = 0;
  Index structural_rank = 0;
  FactorizationWay first = {};  ///< that was taken already
  bool has_choice = true;       ///< false: thresholds are the caller's own, and no other way is taken
  bool may_rescale = true;      ///< false: the scaling is the caller's own
  /// False: what is refuted may not be believed to be no null pivot all the same, since no backward error would tell.
  bool measures_solutions = true;
  WorkBudget last_budget = {};  ///< of the way that is taken whatever is left
  int num_threads = 0;
};

/// Whether a factorization is worth a proof: it has null pivots, small ones, or entries that have grown.
template <Scalar S>
[[nodiscard]] bool wants_proof(const FactorizationReport& report);

/// What is known of the rank where no proof is looked for: it is full if no pivot says otherwise and none was enlarged, and else in
/// doubt, bounded by the structure alone.
void presume_rank(SystemReport& report, Index order, Index structural_rank);
[[nodiscard]] RankProof presumed_rank(const FactorizationReport& factorization, Index order, Index structural_rank);

/// What is known of the rank by some factors and the evidence of them, see RankProof.
template <Scalar S>
[[nodiscard]] RankProof proof_of(const ProofEvidence& evidence, Index num_null_pivots, const ProofQuestion& question);

/// Looks at the factors that there are, and as long as they prove nothing goes on to other ways:
///
///   hidden null vectors that are proved                 the same, and safer_factorization(), with their anchors as last variables
///   a claim of a null pivot that its vector refutes    other scales, then a null threshold next to nothing unless A is singular
///                                                      even so
///   factors that are no proof that the rest of A is     safer_factorization(), then thresholds that count its smallest pivot as
///   nonsingular                                         zero, too; other scales
///
/// Factors without null pivots that stand for A^-1 end the search, too: where they leave a doubt, A is next to a singular matrix.
/// All ways together may take kMostFlops times the flops of the first factorization, or kFreeFlops if that is more; the last one,
/// with which there is an x, is taken whatever is left. The search ends, too, where memory does.
/// Without factors, of a factorization that kept none, the first way is taken once more. `report`, which port.factorize() writes,
/// in the end has the proof and a note on the way to it; what no factors prove is in doubt, and no matrix is singular then of which
/// that is not proved. The factors are those of the report.
template <Scalar S>
void search_proof(SystemReport& report, const ProofQuestion& question, const ProofPort<S>& port);

/// The same for factors of which `kept` are kept, where pivots give reason to; elsewhere the rank is presumed. port.has_factors()
/// says whether there are any, kept or not, and `kept` is what port.factorize() keeps. False: what was kept for the proof alone is
/// to be given back.
template <Scalar S>
[[nodiscard]] bool prove_rank(SystemReport& report, KeptFactors& kept, const ProofQuestion& question, const ProofPort<S>& port);

/// Whether diagonal blocks leave the rank of the whole open, which is not the sum of theirs.
[[nodiscard]] inline bool is_rank_open(const SystemReport& report) {
  return report.factorization.status == FactorizationStatus::singular || report.rank.status == RankVerdict::in_doubt;
}

inline constexpr double kMostFlops = 2.2;
inline constexpr double kFreeFlops = 1e9;  ///< some 50 ms

}  // namespace frond
