// SPDX-License-Identifier: BSD-3-Clause
// What a factorization tells about itself.
#pragma once

#include <limits>
#include <vector>

#include "factorization/fronts/determinant.hpp"
#include "factorization/fronts/level_counts.hpp"
#include "matrices/types.hpp"

namespace frond {

enum class FactorizationStatus {
  success,
  singular,              ///< null pivots were met; they are listed and left out of the factors
  not_positive_definite  ///< Cholesky met a pivot that is not positive; there are no factors
};

/// Numbers of positive, negative and zero eigenvalues, from the pivots (Sylvester). Meaningless for LU and for complex symmetric
/// matrices.
struct Inertia {
  Count positive = 0;
  Count negative = 0;
  Count zero = 0;
};

struct [[nodiscard]] FactorizationReport {
  FactorizationStatus status = FactorizationStatus::success;
  Inertia inertia;
  Determinant determinant;         ///< of A; zero if it is singular, meaningless with not_positive_definite
  Count num_delayed_pivots = 0;    ///< a pivot delayed through k fronts counts k times
  Count num_two_by_two = 0;        ///< 2x2 pivots
  Count num_perturbed_pivots = 0;  ///< of static pivoting; rank, inertia and determinant then are those of the perturbed matrix
  Count num_panels_undone = 0;     ///< of row-distributed fronts: slaves refused some of their pivots
  std::vector<Index> null_pivots;  ///< original numbers (0-based) of the variables (rows of A for LU) without a usable pivot,
                                   ///< increasing; with not_positive_definite: the one whose pivot was not positive
  double smallest_pivot = std::numeric_limits<double>::infinity();  ///< magnitude in the scaled matrix, null pivots left out; of a
                                                                    ///< 2x2 pivot |det| / largest entry
  Index smallest_pivot_variable = -1;                               ///< its original number, as in null_pivots
  int smallest_pivot_sign = 0;  ///< of its eigenvalue that is nearer to zero, where pivots have signs; else 0
  double largest_entry = 0;     ///< of the scaled matrix, by magnitude: what null thresholds and perturbations are relative to
  /// The largest entry of U, or of D L^T, over the largest of the scaled matrix (pivot_growth.hpp). Cholesky: 1, nothing grows.
  double pivot_growth = 0;
  double flops = 0;          ///< done, delayed pivots included
  Count factor_entries = 0;  ///< of L and D, or of L and U: those a solve reads
  Count factor_bytes = 0;    ///< memory of the factors, as far as they are kept
  Count peak_bytes = 0;      ///< factors, contribution blocks and workspaces at their highest, by the meter
  Index max_front_order = 0;
  Index num_workers_seen = 0;       ///< threads that executed at least one task
  std::vector<LevelCounts> levels;  ///< [distance from the root - first_level] = what the fronts there came to
  Index first_level = 0;            ///< above it a part of a factorization has no fronts; 0 for all of it

  FactorizationReport& operator+=(const FactorizationReport& other);  ///< other threads, other ranks: counts add up, maxima prevail
};

}  // namespace frond
