// SPDX-License-Identifier: BSD-3-Clause
// Reports on factorizing and solving a linear system, in values and in words.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include <frond/factorization_report.hpp>
#include <frond/options.hpp>
#include <frond/types.hpp>

namespace frond {

enum class RankVerdict {  ///< what is known of the rank of a matrix
  presumed,               ///< no pivot gave reason to look for a proof
  nonsingular,            ///< tau rho < 1: no matrix whose entries differ from those of A by a relative tau each is singular
  singular,               ///< null vectors, right or left, are proved, and the rest of A is nonsingular in that sense
  structural,             ///< a set of rows has entries in fewer columns than it has rows (Koenig 1931)
  in_doubt,               ///< neither is proved for all pivots
};

/// The definitions, of A with |A| its magnitudes and tau = kSingularTolerance:
///
///   singular      there is a z != 0 with |A z| <= tau |A| |z| in every equation: a matrix whose entries differ from those of A by
///   a relative tau each is singular (Oettli & Prager 1964). Of symmetric matrices it need not be symmetric
///   deficiency k  there are k of them, reduced to the identity on k variables, that pass the test in that form
///   nonsingular   tau rho < 1, rho being the spectral radius of |A^-1| |A| (Bauer 1963; Skeel 1979)
///
/// Scaling rows and columns changes none of this.
struct RankProof {
  RankVerdict status = RankVerdict::presumed;  ///< what is known
  Index lowest = 0;                            ///< the rank is at least this; as far as proved, n if `presumed`
  Index highest = 0;                           ///< the rank is at most this
  Index num_vectors = 0;                       ///< null vectors that were tested
  bool is_sample = false;                      ///< these are a random sample of all possible ones
  /// For `nonsingular` an upper estimate of tau rho. For `singular` and where null vectors are proved, the largest
  /// |A z| / (|A| |z|) of an equation, over the vectors that passed. NaN if nothing was measured.
  double number = std::numeric_limits<double>::quiet_NaN();
  /// For `singular` and `in_doubt`: tau rho of the eliminated part.
  double rest = std::numeric_limits<double>::quiet_NaN();

  [[nodiscard]] bool is_certain() const { return status != RankVerdict::in_doubt; }  ///< whether the rank is not in doubt
};

[[nodiscard]] FROND_API std::string to_string(RankVerdict status);  ///< in words

/// What a factorization wrote to a checkpoint, and found there.
struct CheckpointReport {
  std::string directory = {};     ///< empty: no checkpoint
  bool is_in_memory = false;      ///< of this machine
  Count most_bytes = 0;           ///< allowed for the checkpoint on all ranks, in addition to what was found, if it is in memory
  Count num_fronts_found = 0;     ///< finished earlier, and read
  double flops_found = 0;         ///< of these
  Count num_fronts_lost = 0;      ///< whose factors were found, but not those below, or not their block: executed again
  Count bytes_written = 0;        ///< of factors and blocks
  Index num_lists = 0;            ///< of what is stored
  Count num_blocks_left_out = 0;  ///< freed before they were on disk: their fronts count only once their parents do
  double seconds_waited = 0;      ///< by computing threads, for the disk
  std::string error = {};         ///< the disk's error when it accepted no more; the list before that is valid
  /// What an earlier run had begun and this one did not continue, since its options define another factorization; empty: nothing.
  std::string left_behind = {};
};

/// How a system was factorized.
struct SystemReport {
  Method method = Method::lu;               ///< that was used
  std::vector<std::string> notes;           ///< decisions that a user should know about, one sentence each
  ScalingKind scaling = ScalingKind::none;  ///< that was used; never `automatic`
  int equilibration_sweeps = 0;             ///< passes over the entries
  bool is_mixed = false;                    ///< factors are in single precision; so are the determinant's digits
  /// No pivot vanished, but a null vector is proved, or the condition number is beyond 1/eps where there is no proof: the status is
  /// singular, and null_pivots names the smallest pivot.
  bool is_singular_by_condition = false;
  /// Condition of the equilibrated matrix in the 1-norm, estimated from below if a small pivot gave reason to; NaN otherwise. If a
  /// Schur complement is kept, of the block that is factorized.
  double equilibrated_condition = std::numeric_limits<double>::quiet_NaN();
  RankProof rank;                     ///< what is known of the rank, and how
  Count num_kept_pivots = 0;          ///< taken in the order of the factorization before, by Factorization::refactorize()
  FactorizationReport factorization;  ///< pivots, inertia, determinant, flops and bytes
  CheckpointReport checkpoint;        ///< what was written and read
};

enum class Verdict {  ///< outcome of a solve, and what to trust
  solved,             ///< x is accurate for every right-hand side, see ColumnReport
  accuracy_missed,    ///< the factorization succeeded, but an equation that is not among rounding errors is not met, or a normwise
                      ///< backward error is above the target (or NaN); see ColumnReport
  singular,  ///< pivots are numerically zero: x solves the remaining equations, its other entries are 0; num_met() says whether it
             ///< solves all
  not_positive_definite,  ///< Cholesky was requested and is not possible; there is no x
  rank_in_doubt,          ///< there is no x, requested or not, and no proof whether the matrix is singular
  unmeasured              ///< x is what the factors give, and nothing but their pivots was judged, see RefinementOptions::measures
};

/// Whether what was asked for is there, as accurate as the options demand.
[[nodiscard]] constexpr bool is_good(Verdict verdict) { return verdict == Verdict::solved || verdict == Verdict::unmeasured; }

enum class Consistency {  ///< whether a singular system has solutions for a right-hand side
  not_measured,           ///< the matrix is not singular
  consistent,             ///< x is one of them: consistency_error is at most SolveReport::target
  inconsistent,           ///< there are none: for a proved left null vector y, |y^H b| > 1e-10 |y|^T (|A| |x| + |b|)
  in_doubt                ///< neither is proved
};

/// The accuracy of one right-hand side. An error is infinite when x or the residual is not finite, and NaN if x was not measured.
///
/// An equation is *met* if |b - A x|_i <= max(45, k + 4) eps (|A| |x| + |b|)_i, k being the number of its entries: 1e-14 in double
/// precision for up to 41. It is *among rounding errors* if b_i = 0 and no unknown of it is larger than its last correction (or
/// than 1e-260, at the end of the range of numbers), nor than 1e-14 of the largest unknown, or if its residual is at most k + 4
/// times the smallest number. x is accurate if all other equations are met and the normwise error is at most SolveReport::target.
struct ColumnReport {
  /// ||b - A x|| / (||A|| ||x|| + ||b||), maximum norms (Rigal & Gaches 1967).
  double normwise_backward_error = 0;
  /// max |b - A x|_i / (|A| |x| + |b|)_i (Oettli & Prager 1964) over all equations, 0 / 0 being 0.
  double componentwise_backward_error = 0;
  int refinement_steps = 0;  ///< corrections
  int krylov_steps = 0;      ///< of GMRES, which took over where refinement stalled
  /// Of ||x - x*|| / ||x*||, maximum norms, see estimate_forward_error(); NaN unless SolverOptions::error_bounds asks for it.
  double forward_error_bound = std::numeric_limits<double>::quiet_NaN();
  /// The largest amplification of a componentwise backward error, see estimate_forward_error(); scaling equations does not change
  /// it.
  double componentwise_condition = std::numeric_limits<double>::quiet_NaN();
  /// Measures, for a singular system, how far x is from solving it, independent of the units of its equations and unknowns, see
  /// measure_consistency(). NaN otherwise.
  double consistency_error = std::numeric_limits<double>::quiet_NaN();
  Consistency consistency = Consistency::not_measured;  ///< follows from consistency_error
  double improvable_backward_error = 0;                 ///< componentwise, of the equations that are not among rounding errors
  Index num_missed_equations = 0;                       ///< not among rounding errors, and not met
  Index num_negligible_equations = 0;                   ///< among rounding errors, and not met
  double negligible_size = 0;                           ///< the largest (|A| |x| + |b|)_i of these over ||A|| ||x|| + ||b||
};

/// The outcome of a solve.
struct [[nodiscard]] FROND_API SolveReport {
  Verdict verdict = Verdict::solved;                        ///< of all right-hand sides together
  double target = 0;                                        ///< largest normwise backward error that counts as solved
  std::vector<ColumnReport> columns;                        ///< one per right-hand side; empty when there is no x
  double epsilon = std::numeric_limits<double>::epsilon();  ///< of the precision in which x is given
  /// ||A|| ||A^-1|| in the 1-norm, estimated from below; infinite if A is singular, NaN unless SolverOptions::error_bounds asks for
  /// it.
  double condition = std::numeric_limits<double>::quiet_NaN();
  /// As SystemReport::equilibrated_condition, if that is of the whole matrix: describe() warns of it if there are no bounds.
  double equilibrated_condition = std::numeric_limits<double>::quiet_NaN();
  RankProof rank;                  ///< as SystemReport::rank
  std::vector<std::string> notes;  ///< what a user should know, one sentence each
  double bound_seconds = 0;        ///< time spent on the condition number and bounds
  Index order = 0;                 ///< of A
  std::vector<Index> null_pivots;  ///< original numbers (0-based) of variables (rows for LU) without a pivot: {1} for [4 0; 0 0]

  [[nodiscard]] Index num_null_pivots() const { return static_cast<Index>(null_pivots.size()); }  ///< how many of these there are

  /// Number of right-hand sides whose x is accurate. For a singular matrix these are the consistent ones: x is one of their
  /// solutions, to which any vector of the null space may be added, whose dimension is num_null_pivots() unless `rank` is certain
  /// and differs.
  [[nodiscard]] Index num_met() const;
  [[nodiscard]] ColumnReport worst() const;       ///< the maximum of each over the columns; for bounds, over the known ones
  [[nodiscard]] Consistency consistency() const;  ///< of all right-hand sides; consistent if each of them is
  [[nodiscard]] std::string describe() const;     ///< one sentence; variables are counted from 1 in it
};

[[nodiscard]] FROND_API std::string to_string(Method method);            ///< as on the command line
[[nodiscard]] FROND_API std::string to_string(Verdict verdict);          ///< in words
[[nodiscard]] FROND_API std::string to_string(Consistency consistency);  ///< in words

/// What one rank did and held during a factorization.
struct RankReport {
  double flops = 0;             ///< done by this rank
  Count peak_bytes = 0;         ///< of factors and active memory together
  Count peak_active_bytes = 0;  ///< of fronts and contribution blocks
  Count num_messages = 0;       ///< sent by this rank, excluding those about loads
  Count message_bytes = 0;      ///< of these
  Count num_load_messages = 0;  ///< sent by this rank
  double seconds = 0;           ///< from the start of the tasks until all ranks have finished; 0 for one process
};

/// Report on a system that was factorized and solved in one call.
struct OnceReport {
  SystemReport system;            ///< how it was factorized
  SolveReport solve;              ///< the outcome of the solve
  std::vector<RankReport> ranks;  ///< of the last factorization, as Factorization::rank_reports()
};

}  // namespace frond
