// SPDX-License-Identifier: BSD-3-Clause
// What is known of the rank of a matrix, and by what proof.
#pragma once

#include <limits>
#include <string>

#include "matrices/types.hpp"

namespace frond {

/// c: an entry counts as known to c eps of its own size, a few roundings on the way to it. The constant does not grow with the
/// order: rounding in long sums is kept out of what is measured, by residuals in twice the working precision. With it the
/// second difference of 10^6 points is nonsingular by far, tau rho being 0.003.
inline constexpr double kSingularUnits = 32;

/// tau = c eps.
template <Scalar S>
inline constexpr double kSingularTolerance = kSingularUnits* static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

enum class RankVerdict {
  presumed,     ///< no pivot gave reason to look for a proof
  nonsingular,  ///< tau rho < 1: no matrix whose entries differ from those of A by tau each, relatively, is singular
  singular,     ///< null vectors are proved, and what is left of A is nonsingular in that sense
  structural,   ///< a set of rows has entries in fewer columns than it has rows (Koenig 1931)
  in_doubt,     ///< neither is proved of all pivots
};

/// The definitions, of A with |A| its magnitudes and tau = kSingularTolerance:
///
///   singular      there is a z != 0 with |A z| <= tau |A| |z| in every equation: a matrix whose entries differ from those of A by
///                 tau each, relatively, is singular (Oettli & Prager 1964). Of symmetric matrices it need not be symmetric
///   deficiency k  there are k of them, reduced to the identity on k variables, that pass the test in that form
///   nonsingular   tau rho < 1, rho being the spectral radius of |A^-1| |A| (Bauer 1963; Skeel 1979)
///
/// To multiply rows and columns by numbers changes none of this.
struct RankProof {
  RankVerdict status = RankVerdict::presumed;
  Index lowest = 0;        ///< the rank is at least that; as far as a proof tells, n if `presumed`
  Index highest = 0;       ///< and at most that
  Index num_vectors = 0;   ///< null vectors that were tested
  bool is_sample = false;  ///< these are a random sample of those that there would be
  /// Of `nonsingular` an upper estimate of tau rho. Of `singular` and where null vectors are proved, the largest
  /// |A z| / (|A| |z|) of an equation, over the vectors that passed. NaN where nothing was measured.
  double number = std::numeric_limits<double>::quiet_NaN();
  /// Of `singular` and `in_doubt`: tau rho of what was eliminated.
  double rest = std::numeric_limits<double>::quiet_NaN();

  [[nodiscard]] bool is_certain() const { return status != RankVerdict::in_doubt; }
};

[[nodiscard]] std::string to_string(RankVerdict status);

/// Says what is known of a rank in doubt: "between 7 and 9 of 10", or as much of that as is proved.
[[nodiscard]] std::string describe_bounds(const RankProof& rank, Index order);

}  // namespace frond
