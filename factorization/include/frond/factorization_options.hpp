// SPDX-License-Identifier: BSD-3-Clause
// What a user may choose about the factorization.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>

#include <frond/analysis_options.hpp>
#include <frond/types.hpp>

namespace frond {

/// What becomes of fully summed variables whose pivots fail the tests?
enum class PivotingKind {
  threshold,        ///< they are delayed to the parent, whose front grows by them
  static_structure  ///< they are eliminated where they are, small pivots enlarged (Li & Demmel 1998, "Making sparse Gaussian
                    ///< elimination scalable by static pivoting"; Duff & Pralet 2007, "Towards stable mixed pivoting strategies for
                    ///< the sequential and parallel solution of sparse symmetric indefinite systems"): memory and flops are those
                    ///< predicted, refinement makes up for the perturbation. Not for Cholesky, which has no choice
};

struct PivotingOptions {          ///< which pivots are accepted, and what becomes of the others
  double pivot_threshold = 0.01;  ///< u in [0, 1]: LDLT accepts a pivot when every |l_ij| <= 1/u, LU when |a_kk| >= u max_j |a_kj|
                                  ///< along its row (Duff & Reid 1983)
  bool may_lower_threshold = true;  ///< where delayed pivots would more than double the flops; read by those who choose ways to
                                    ///< factorize
  double null_threshold =
      0;  ///< pivots up to this size, relative to the largest scaled |a_ij|, count as zero; 0: max(10, 5 sqrt(n)) eps
  PivotingKind kind = PivotingKind::threshold;  ///< what becomes of pivots that fail
  double perturbation = 0;  ///< static pivoting: the least size of a pivot that failed the tests, relative to the largest scaled
                            ///< |a_ij|; 0: sqrt(eps)
};

/// What a factorization may come to before it stops with a BudgetError, so that its caller can take another way. Delayed pivots can
/// make fronts grow and grow, and cost thousands of times what was predicted.
///
/// Several ranks have a budget each. Of a front that ranks share all that is added counts for its master, and none for its slaves.
struct WorkBudget {
  /// What eliminations may take: what is predicted for the whole tree, and what delayed pivots have added in the fronts so far.
  double flops = std::numeric_limits<double>::infinity();
  Count bytes = 0;  ///< of factors and active memory together, as the meter counts them; 0: any number. Several threads need more
                    ///< at a time than one
};

class RegionPool;

/// Memory for factorizations that follow one another: it keeps what those that are gone have had and hands it to the next ones,
/// since fresh pages take about as much time as computing on them. Given back to the system with the last of its users.
/// Thread-safe.
[[nodiscard]] FROND_API std::shared_ptr<RegionPool> make_region_pool();

class WorkLog;

/// A log of who does what when, task by task, and of the memory that is held, in all factorizations that have it in their options.
/// It is for the pictures of `frond solve --html`. Thread-safe.
[[nodiscard]] FROND_API std::shared_ptr<WorkLog> make_work_log();

struct FactorizationOptions {  ///< how a matrix is factorized, within what limits, and what is kept
  PivotingOptions pivoting;    ///< which pivots are accepted
  int num_threads = 0;         ///< 0: as many as the machine has cores
  Count memory_limit = 0;      ///< bytes for factors and active memory together; 0: what the machine and its limits leave
  std::string memory_limit_reason =
      {};                               ///< what sets that limit, for messages, as the subject of a sentence; empty: you want it so
  WorkBudget budget = {};               ///< beyond which it stops; none
  KeptFactors kept = KeptFactors::all;  ///< what is not kept is given back front by front
  std::shared_ptr<RegionPool> memory = {};  ///< of make_region_pool(), reused between factorizations that share it; empty: memory
                                            ///< comes from the system and goes back
  std::shared_ptr<WorkLog> log = {};        ///< of make_work_log(); empty: nothing is logged
  std::function<void(double fraction)>
      progress;  ///< called now and then, from any thread but never twice at a time, with the part of the flops done
};

}  // namespace frond
