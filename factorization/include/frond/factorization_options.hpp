// SPDX-License-Identifier: BSD-3-Clause
// The options of a factorization.
#pragma once

#include <memory>
#include <string>

#include <frond/analysis_options.hpp>
#include <frond/types.hpp>

namespace frond {

/// What happens to fully summed variables whose pivots fail the tests.
enum class PivotingKind {
  threshold,        ///< they are delayed to the parent, whose front grows by them
  static_structure  ///< they are eliminated where they are, small pivots enlarged (Li & Demmel 1998, "Making sparse Gaussian
                    ///< elimination scalable by static pivoting"; Duff & Pralet 2007, "Towards stable mixed pivoting strategies for
                    ///< the sequential and parallel solution of sparse symmetric indefinite systems"): memory and flops stay as
                    ///< predicted, and refinement makes up for the perturbation. Not for Cholesky, which has no choice
};

struct PivotingOptions {          ///< which pivots are accepted, and what happens to the others
  double pivot_threshold = 0.01;  ///< u in [0, 1]: LDLT accepts a pivot when every |l_ij| <= 1/u, LU when |a_kk| >= u max_j |a_kj|
                                  ///< along its row (Duff & Reid 1983)
  bool may_lower_threshold = true;  ///< where delayed pivots would more than double the flops; read by the code that chooses how to
                                    ///< factorize
  double null_threshold =
      0;  ///< pivots up to this size, relative to the largest scaled |a_ij|, count as zero; 0: max(10, 5 sqrt(n)) eps
  PivotingKind kind = PivotingKind::threshold;  ///< what happens to pivots that fail
  double perturbation = 0;  ///< static pivoting: the smallest size of a pivot that failed the tests, relative to the largest scaled
                            ///< |a_ij|; 0: sqrt(eps)
};

class RegionPool;

/// Returns a pool that keeps the memory of finished factorizations and hands it to the next ones, since fresh pages take about as
/// much time as computing on them. The memory goes back to the system with the last user of the pool. Thread-safe.
[[nodiscard]] FROND_API std::shared_ptr<RegionPool> make_region_pool();

class WorkLog;

/// Returns a log of what runs where and when, task by task, and of the memory in use, for all factorizations that have it in their
/// options. It is for the pictures of `frond solve --html`. Thread-safe.
[[nodiscard]] FROND_API std::shared_ptr<WorkLog> make_work_log();

struct FactorizationOptions {            ///< how a matrix is factorized, within what limits, and what is kept
  PivotingOptions pivoting = {};         ///< which pivots are accepted
  int num_threads = 0;                   ///< 0: as many as the machine has cores
  Count memory_limit = 0;                ///< bytes for factors and active memory together; 0: what the machine and its limits leave
  std::string memory_limit_reason = {};  ///< what sets that limit, for messages, as the subject of a sentence; empty: the user
  KeptFactors kept = KeptFactors::all;   ///< which factors are kept; the others are given back front by front
  std::shared_ptr<RegionPool> memory = {};  ///< of make_region_pool(), reused between factorizations that share it; empty: memory
                                            ///< comes from the system and goes back
  std::shared_ptr<WorkLog> log = {};        ///< of make_work_log(); empty: nothing is logged
  /// Whether a matrix whose fronts would be tiny is factorized over compressed columns, without fronts; automatic: if that is
  /// predicted to be faster. In one process; not with LU of a matrix that is stored as symmetric, scales, orders or null thresholds
  /// of the caller, static pivoting, mixed precision, error bounds, a memory limit below its needs, a log, a checkpoint, a Schur
  /// complement, or factors that are given back; nor for skew-symmetric matrices, or Hermitian ones with zeros on the diagonal.
  /// Pivots of two variables are the pairs that the analysis finds in a symmetric matrix, unless single ones are larger; pivots
  /// next to pairs are held to a hundredth of PivotingOptions::pivot_threshold. What needs fronts (saved factors, null spaces, many
  /// entries of the inverse, other pairs, and what is not accurate, not definite as its diagonal promises, or looks singular)
  /// factorizes with them when it is first asked for.
  Use thin = Use::automatic;
};

}  // namespace frond
