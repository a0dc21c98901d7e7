// SPDX-License-Identifier: BSD-3-Clause
// What a factorization reports about itself.
#pragma once

#include <complex>
#include <limits>
#include <vector>

#include <frond/types.hpp>

namespace frond {

/// mantissa * 2^exponent. The larger of |real| and |imaginary part| of the mantissa is in [1/2, 1), so that no product overflows;
/// a determinant of zero is 0 * 2^0. The imaginary part is zero for real scalars.
struct FROND_API Determinant {
  std::complex<double> mantissa = 0.5;  ///< less than 1 by magnitude
  Count exponent = 1;                   ///< of 2

  Determinant() = default;                           ///< 1, that of a matrix of order 0
  explicit Determinant(std::complex<double> value);  ///< of this value

  Determinant& operator*=(const Determinant& other);  ///< never overflows
  Determinant& operator/=(const Determinant& other);  ///< never overflows; by a determinant that is not zero
  void negate() { mantissa = {0.0 - mantissa.real(), 0.0 - mantissa.imag()}; }  ///< no zero gets a sign

  [[nodiscard]] double log2_modulus() const;  ///< minus infinity for zero
  friend bool operator==(const Determinant&, const Determinant&) = default;

 private:
  void normalize();
};

/// Sums over the fronts at one distance, the level, from their root. A front that several ranks share counts once, with its master;
/// flops are those of all ranks.
struct FROND_API LevelCounts {
  Count num_fronts = 0;            ///< of the level
  Count num_delayed_pivots = 0;    ///< that these fronts left to their parents
  Count num_two_by_two = 0;        ///< 2x2 pivots
  Count num_null_pivots = 0;       ///< Cholesky has none
  Count num_perturbed_pivots = 0;  ///< static pivoting only
  Count max_front_order = 0;       ///< delayed pivots included
  double flops = 0;                ///< of all ranks

  LevelCounts& operator+=(const LevelCounts& other);  ///< other threads, other ranks: counts add up, maxima prevail
  friend bool operator==(const LevelCounts&, const LevelCounts&) = default;
};

enum class FactorizationStatus {  ///< how a factorization ended
  success,
  singular,              ///< null pivots were met; they are listed and left out of the factors
  not_positive_definite  ///< Cholesky met a pivot that is not positive; there are no factors
};

/// Numbers of positive, negative and zero eigenvalues, from the pivots (Sylvester). Meaningless for LU and for complex symmetric
/// matrices.
struct Inertia {
  Count positive = 0;  ///< above 0
  Count negative = 0;  ///< below 0
  Count zero = 0;      ///< zero up to rounding errors
};

struct [[nodiscard]] FROND_API FactorizationReport {          ///< what a factorization did, found and held
  FactorizationStatus status = FactorizationStatus::success;  ///< how it ended
  Inertia inertia;                                            ///< of A, where its pivots have signs
  Determinant determinant;         ///< of A; zero if it is singular, meaningless with not_positive_definite
  Count num_delayed_pivots = 0;    ///< a pivot delayed through k fronts counts k times
  Count num_two_by_two = 0;        ///< 2x2 pivots
  Count num_perturbed_pivots = 0;  ///< of static pivoting; rank, inertia and determinant then are those of the perturbed matrix
  Count num_panels_undone = 0;     ///< of row-distributed fronts: slaves refused some of their pivots
  std::vector<Index> null_pivots;  ///< original numbers (0-based) of the variables (rows of A for LU) without a usable pivot,
                                   ///< increasing: {1} for [4 0; 0 0]; with not_positive_definite: the one whose pivot was
                                   ///< not positive
  double smallest_pivot = std::numeric_limits<double>::infinity();  ///< magnitude in the scaled matrix, null pivots excluded; of a
                                                                    ///< 2x2 pivot |det| / largest entry
  Index smallest_pivot_variable = -1;                               ///< its original number, as in null_pivots
  int smallest_pivot_sign = 0;  ///< of its eigenvalue nearest to zero, where pivots have signs; else 0
  double largest_entry = 0;     ///< of the scaled matrix, by magnitude; null thresholds and perturbations are relative to it
  /// The largest entry of U, or of D L^T, over the largest of the scaled matrix (pivot_growth.hpp). Cholesky: 1, nothing grows.
  double pivot_growth = 0;
  double flops = 0;                 ///< done, delayed pivots included
  Count factor_entries = 0;         ///< of L and D, or of L and U: those a solve reads
  Count factor_bytes = 0;           ///< memory of the factors, as far as they are kept
  Count peak_bytes = 0;             ///< peak of factors, contribution blocks and workspaces together, by the meter
  Index max_front_order = 0;        ///< delayed pivots included
  Index num_workers_seen = 0;       ///< threads that executed at least one task
  std::vector<LevelCounts> levels;  ///< [distance from the root - first_level] = counts of the fronts there
  Index first_level = 0;            ///< a part of a factorization has no fronts above it; 0 for a whole factorization

  FactorizationReport& operator+=(const FactorizationReport& other);  ///< other threads, other ranks: counts add up, maxima prevail
};

}  // namespace frond
