// SPDX-License-Identifier: BSD-3-Clause
// What factorizing and solving a linear system came to, in values and in words.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "factorization/fronts/report.hpp"
#include "matrices/types.hpp"
#include "solver/problem/rank_proof.hpp"
#include "solver/problem/scaling_kind.hpp"

namespace frond {

/// How a system was factorized.
struct SystemReport {
  Method method = Method::lu;
  std::vector<std::string> notes;           ///< decisions on the way that a user should know of, one sentence each
  ScalingKind scaling = ScalingKind::none;  ///< that was taken; never `automatic`
  int equilibration_sweeps = 0;
  bool is_mixed = false;  ///< factors are of single precision; so are the determinant's digits
  /// No pivot vanished, but a null vector is proved, or the condition number is beyond 1/eps where there is no proof: the status is
  /// singular, and null_pivots names the smallest pivot.
  bool is_singular_by_condition = false;
  /// Of the equilibrated matrix in the 1-norm, estimated from below where a small pivot gave reason to; NaN otherwise. Of the block
  /// that is factorized where a Schur complement is kept.
  double equilibrated_condition = std::numeric_limits<double>::quiet_NaN();
  RankProof rank;  ///< what is known of it, and how
  FactorizationReport factorization;
};

enum class Verdict {
  solved,                 ///< every right-hand side meets the accuracy target
  accuracy_missed,        ///< the factorization succeeded, but a backward error is above the target (or not a number)
  singular,               ///< pivots are numerically zero: x solves the equations that are left, its other entries are 0;
                          ///< num_met() tells whether it solves all
  not_positive_definite,  ///< Cholesky was asked for and cannot be done; there is no x
  rank_in_doubt           ///< there is no x, asked for or not, and it is not proved whether the matrix is singular
};

/// The accuracy of one right-hand side. An error is infinite when x or the residual is not finite.
struct ColumnReport {
  /// ||b - A x|| / (||A|| ||x|| + ||b||), maximum norms (Rigal & Gaches 1967): what the verdict judges.
  double normwise_backward_error = 0;
  /// max |b - A x|_i / (|A| |x| + |b|)_i (Oettli & Prager 1964), with the safe denominator of Arioli, Demmel & Duff 1989.
  double componentwise_backward_error = 0;
  int refinement_steps = 0;
  int krylov_steps = 0;  ///< of GMRES, which took over where refinement stalled
  /// Of ||x - x*|| / ||x*||, maximum norms, see estimate_forward_error(); NaN unless SolverOptions::error_bounds asks for it.
  double forward_error_bound = std::numeric_limits<double>::quiet_NaN();
  /// By which a componentwise backward error is multiplied at most, see there; scaling equations does not change it.
  double componentwise_condition = std::numeric_limits<double>::quiet_NaN();
  /// Of a singular system: how far it is from having x for a solution, whatever the units of its equations and unknowns, see
  /// measure_consistency(); what its verdict judges. NaN otherwise.
  double consistency_error = std::numeric_limits<double>::quiet_NaN();
  /// componentwise_backward_error with norms of the scaled system for safe denominators, which excuse more equations. Refinement
  /// seeks that one, but nothing is factorized anew unless this one, too, is no accurate solution's.
  double excused_backward_error = 0;
};

/// What became of a solve.
struct [[nodiscard]] SolveReport {
  Verdict verdict = Verdict::solved;
  double target = 0;                                        ///< largest normwise backward error that counts as solved
  std::vector<ColumnReport> columns;                        ///< one per right-hand side; empty when there is no x
  double epsilon = std::numeric_limits<double>::epsilon();  ///< of the precision in which x is given
  /// ||A|| ||A^-1|| in the 1-norm, estimated from below; infinite if A is singular, NaN unless SolverOptions::error_bounds asks for
  /// it.
  double condition = std::numeric_limits<double>::quiet_NaN();
  /// As SystemReport::equilibrated_condition, if that is of the whole matrix: what describe() warns of where there are no bounds.
  double equilibrated_condition = std::numeric_limits<double>::quiet_NaN();
  RankProof rank;                  ///< as SystemReport::rank
  std::vector<std::string> notes;  ///< what a user should know of, one sentence each
  double bound_seconds = 0;        ///< that condition number and bounds have taken
  Index order = 0;
  std::vector<Index> null_pivots;  ///< original numbers (0-based) of variables (rows for LU) without a pivot

  [[nodiscard]] Index num_null_pivots() const { return static_cast<Index>(null_pivots.size()); }

  /// Right-hand sides whose x meets the target. Of a singular matrix these are the consistent ones, by their consistency_error: x
  /// is one of their solutions, to which any vector of the null space, whose dimension is num_null_pivots(), may be added.
  [[nodiscard]] Index num_met() const;
  [[nodiscard]] ColumnReport worst() const;    ///< the largest of each over the columns; of bounds, over those that are known
  [[nodiscard]] std::string describe() const;  ///< one sentence; variables are counted from 1 in it
};

/// 450 eps: 1e-13 for double, 5.4e-5 for float.
template <Scalar S>
inline constexpr double kAccuracyTarget = 450 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

/// Componentwise backward errors up to so many times epsilon are those of an accurate solution.
inline constexpr double kComponentwiseUnits = 45;

/// 1e-14 in double precision.
template <Scalar S>
inline constexpr double kComponentwiseAccuracy =
    kComponentwiseUnits* static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

/// Whether one of the two errors of a column is above what an accurate solution has, or is no number.
template <Scalar S>
[[nodiscard]] bool is_inaccurate(const ColumnReport& report) {
  return !(report.excused_backward_error <= kComponentwiseAccuracy<S> && report.normwise_backward_error <= kAccuracyTarget<S>);
}

[[nodiscard]] std::string to_string(Method method);
[[nodiscard]] std::string to_string(Verdict verdict);

}  // namespace frond
