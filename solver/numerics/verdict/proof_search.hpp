// SPDX-License-Identifier: BSD-3-Clause
// Searches for factors that prove the rank of a matrix, on one process or on several.
#pragma once

#include <functional>
#include <limits>
#include <optional>

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
  WorkBudget budget = {};  ///< beyond which it is abandoned
  /// Eliminated after all others, so that null pivots end up there: their entries are scaled too small for any pivot search.
  FewVariables last_variables = {};

  [[nodiscard]] bool is_like(const FactorizationWay& other) const {
    return method == other.method && scaling == other.scaling && pivoting.kind == other.pivoting.kind &&
           pivoting.pivot_threshold == other.pivoting.pivot_threshold && pivoting.null_threshold == other.pivoting.null_threshold &&
           last_variables == other.last_variables;
  }
};

/// What factors imply for the rank. Trivially copyable, so that it can be sent.
struct ProofEvidence {
  NullVectorTest nulls;                                           ///< of the null pivots
  NullVectorTest hidden;                                          ///< of null vectors that no pivot shows, if there may be any
  FewVariables anchors;                                           ///< of the proved ones, and unknowns without a pivot
  double bauer_skeel = std::numeric_limits<double>::quiet_NaN();  ///< estimate_bauer_skeel()
  double contraction = std::numeric_limits<double>::quiet_NaN();  ///< estimate_contraction()
  double equilibrated_condition = std::numeric_limits<double>::quiet_NaN();  ///< as in SystemReport, without null pivots
};

/// What the search needs from the system. All calls are collective.
template <Scalar S>
struct ProofPort {
  /// Factorizes anew, keeping the factors, and writes the report; previous factors are released first. Throws MemoryError
  /// and BudgetError.
  std::function<void(const FactorizationWay& way)> factorize;
  std::function<bool()> has_factors;  ///< that were kept
  /// Runs look(system) where the matrix is, with a `solve` in which all take part, and returns the result everywhere.
  std::function<ProofEvidence(const std::function<ProofEvidence(const ScaledSystem<S>&)>& look)> examine;
};

/// The input of the search.
struct ProofQuestion {
  Index order = 0;
  Index structural_rank = 0;
  FactorizationWay first = {};  ///< that was used already
  bool has_choice = true;       ///< false: thresholds are the caller's own, and no other way is tried
  bool may_rescale = true;      ///< false: the scaling is the caller's own
  /// False: a refuted null pivot must not be taken for a nonzero one, since no backward error would reveal a mistake.
  bool measures_solutions = true;
  /// True: no other factors are sought where these have all pivots and show no null vector.
  bool leaves_doubts = false;
  WorkBudget last_budget = {};  ///< of the way that is taken in any case
  int num_threads = 0;
};

/// Whether a factorization is worth a proof: it has null pivots, small ones, or entries that have grown.
template <Scalar S>
[[nodiscard]] bool wants_proof(const FactorizationReport& report);

/// Proves with factors that have all pivots, and no others, that A is nonsingular; nothing if that does not succeed, unless the
/// rank may stay in doubt, and no null vector is found. Notes the condition of the equilibrated matrix, of which the system has the
/// scales.
template <Scalar S>
[[nodiscard]] std::optional<RankProof> prove_nonsingular(const ScaledSystem<S>& system, bool leaves_doubts, SystemReport& report);

/// The known rank if no proof is searched for: full if no pivot indicates otherwise and none was enlarged, and otherwise in doubt,
/// bounded by the structure alone.
void presume_rank(SystemReport& report, Index order, Index structural_rank);
[[nodiscard]] RankProof presumed_rank(const FactorizationReport& factorization, Index order, Index structural_rank);

/// The known rank from some factors and their evidence, see RankProof.
template <Scalar S>
[[nodiscard]] RankProof proof_of(const ProofEvidence& evidence, Index num_null_pivots, const ProofQuestion& question);

/// Examines the existing factors, and as long as they prove nothing tries other ways:
///
///   proved hidden null vectors                          the same, and safer_factorization(), with their anchors as last variables
///   a null pivot that its vector refutes                other scales, then a tiny null threshold unless A is singular anyway
///   factors that do not prove the rest of A             safer_factorization(), then thresholds that count its smallest pivot as
///   nonsingular                                         zero, too; other scales
///
/// Factors without null pivots that approximate A^-1 end the search, too: if they leave a doubt, A is close to a singular matrix.
/// All ways together may take kMostFlops times the flops of the first factorization, or kFreeFlops if that is more; the last one,
/// which gives an x, is taken in any case. The search also ends when memory runs out.
/// If the factorization kept no factors, the first way is taken once more. In the end `report`, which port.factorize() writes, has
/// the proof and a note on how it was found; a rank that no factors prove is in doubt, so that a matrix is called singular only
/// with a proof. The factors are those of the report.
template <Scalar S>
void search_proof(SystemReport& report, const ProofQuestion& question, const ProofPort<S>& port);

/// The same for factors of which `kept` are kept, if pivots give reason to; otherwise the rank is presumed. port.has_factors() says
/// whether there are any, kept or not, and `kept` is what port.factorize() keeps. Returns false if factors kept only for the proof
/// are to be released.
template <Scalar S>
[[nodiscard]] bool prove_rank(SystemReport& report, KeptFactors& kept, const ProofQuestion& question, const ProofPort<S>& port);

/// Whether diagonal blocks leave the rank of the whole open; it is not the sum of their ranks.
[[nodiscard]] inline bool is_rank_open(const SystemReport& report) {
  return report.factorization.status == FactorizationStatus::singular || report.rank.status == RankVerdict::in_doubt;
}

inline constexpr double kMostFlops = 2.2;
inline constexpr double kFreeFlops = 1e9;  ///< about 50 ms

}  // namespace frond
