// SPDX-License-Identifier: BSD-3-Clause
// The factors of a thin system, by whatever method.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>

#include "factorization/thin/lane_numbers.hpp"
#include "factorization/thin/selected_sweep.hpp"
#include "factorization/thin/sparse_pattern.hpp"
#include "factorization/thin/sweeps.hpp"
#include "frond/factorization_report.hpp"
#include "frond/options.hpp"
#include "solver/thin/thin_analysis.hpp"

namespace frond {

/// Factors of kLanes systems along the pivots, and with the scales, of one that was factorized before. Values are those of the
/// pattern that was analysed, and all finite.
template <Scalar S>
class LaneFactors {
 public:
  /// How the pivots of one system look.
  struct Pivots {
    Method method;
    PivotExtremes<S> extremes;
  };

  LaneFactors() = default;
  LaneFactors(const LaneFactors&) = delete;
  LaneFactors& operator=(const LaneFactors&) = delete;
  virtual ~LaneFactors() = default;

  virtual void refactorize(const LaneNumbers<S>* values) = 0;
  /// Nothing where ThinFactors::refactorize() would return false.
  [[nodiscard]] virtual std::optional<Pivots> pivots(int lane) const = 0;
  /// Solves A x = b or A^T x = b in each lane; `sweep` is memory for as many. b and x differ.
  virtual void solve(bool is_transposed, const LaneNumbers<S>* b, LaneNumbers<S>* x, LaneNumbers<S>* sweep) const = 0;
};

/// What solves for single unknowns of A x = b, or A^T x = b, with A as it is stored. Scales are those of pivots; none if all are 1.
template <Scalar S>
struct SelectiveSolve {
  SelectiveFactors<S> factors = {};
  std::span<const Index> pivots_of_rows = {};
  std::span<const RealOf<S>> row_scales = {};
  std::span<const Index> pivots_of_unknowns = {};
  std::span<const RealOf<S>> unknown_scales = {};
  bool is_conjugated = false;  ///< the x that is found, for a real b
};

/// Factors of A as it is stored, with scales. Values are those of the pattern that was analysed, all finite.
template <Scalar S>
class ThinFactors {
 public:
  ThinFactors() = default;
  ThinFactors(const ThinFactors&) = delete;
  ThinFactors& operator=(const ThinFactors&) = delete;
  virtual ~ThinFactors() = default;

  /// Finds scales and pivots. Returns false, without usable factors, if pivots are too small or factors too large. Throws
  /// StoppedError.
  [[nodiscard]] virtual bool factorize(const S* values) = 0;
  /// Keeps scales and pivots of the last factorization that succeeded; returns false, without usable factors, if a pivot is less
  /// than a tenth of what is asked of new ones.
  [[nodiscard]] virtual bool refactorize(const S* values) = 0;
  /// Solves A X = B or A^T X = B for one column or kSideLanes of them, one after the other; `sweep` is memory for as many. B and X
  /// differ.
  virtual void solve(bool is_transposed, int num_columns, const S* b, S* x, S* sweep) const = 0;

  /// Its arrays are those of these factors until the next factorization. Made at the first call, in O(entries of the factors);
  /// thread-safe.
  [[nodiscard]] virtual SelectiveSolve<S> selective_solve(bool is_transposed) const = 0;

  /// Uses the patterns of these factors, which outlive the others and are not factorized meanwhile.
  [[nodiscard]] virtual std::unique_ptr<LaneFactors<S>> in_lanes() const = 0;

  [[nodiscard]] virtual Method method() const = 0;
  [[nodiscard]] virtual const PivotExtremes<S>& extremes() const = 0;
  /// Returns the smallest pivot of a symmetric A whose row and column k are scaled by scales[k].
  [[nodiscard]] virtual double smallest_pivot(std::span<const RealOf<S>> scales) const = 0;
  /// Fills in what the factors say beyond their extremes. O(entries of the factors).
  virtual void count(FactorizationReport& report) const = 0;
};

/// Factors L U of a general matrix, and L D L^T (L D L^H) of one that is treated as symmetric.
template <Scalar S>
[[nodiscard]] std::unique_ptr<ThinFactors<S>> make_thin_lu(std::shared_ptr<const ThinAnalysis> analysis);
template <Scalar S>
[[nodiscard]] std::unique_ptr<ThinFactors<S>> make_thin_ldlt(std::shared_ptr<const ThinAnalysis> analysis);

/// What wants_proof() asks about.
template <Scalar S>
void note_pivots(Method method, const PivotExtremes<S>& extremes, FactorizationReport& report) {
  report.smallest_pivot = static_cast<double>(extremes.smallest_pivot);
  report.largest_entry = static_cast<double>(extremes.largest_entry);
  const auto growth = static_cast<double>(extremes.largest_of_upper / extremes.largest_entry);
  report.pivot_growth = method == Method::cholesky ? 1 : growth;
}

/// What is asked of a pivot that is kept, relative to what is asked of a new one. Less would do for x, which is refined, but not
/// for determinants.
inline constexpr double kKeptThreshold = 0.1;

/// As much less is asked of pivots that belong to pairs, so that almost all pairs stay together: entries may grow more, x is
/// refined.
inline constexpr double kPairedThreshold = 0.01;

/// What is asked of a new pivot, relative to its column.
template <Scalar S>
[[nodiscard]] RealOf<S> threshold_of(const ThinAnalysis& analysis) {
  const double threshold = std::min(analysis.options().factorization.pivoting.pivot_threshold, 1.0);
  return static_cast<RealOf<S>>(analysis.plan().is_paired ? kPairedThreshold * threshold : threshold);
}

/// Calls solve(x, sides), x being the memory of as many columns: one, or kSideLanes.
template <Scalar S, class Solve>
void with_sides(int num_columns, S* x, const Solve& solve) {
  if (num_columns == 1) {
    solve(x);
  } else {
    solve(reinterpret_cast<Sides<S>*>(x));
  }
}

/// What is asked of a pivot that is kept.
template <Scalar S>
[[nodiscard]] RealOf<S> kept_threshold_of(const ThinAnalysis& analysis) {
  return threshold_of<S>(analysis) * static_cast<RealOf<S>>(kKeptThreshold);
}

/// The power of 2 that brings a magnitude to [1, 2); 1 at the ends of the range.
template <class R>
[[nodiscard]] R inverse_power_of_two(R magnitude) {
  using Bits = std::conditional_t<std::is_same_v<R, float>, std::uint32_t, std::uint64_t>;
  constexpr int kMantissaBits = std::numeric_limits<R>::digits - 1;
  constexpr Bits kTwiceBias = Bits{2} * std::numeric_limits<R>::max_exponent - 2;
  const Bits exponent = std::bit_cast<Bits>(magnitude) >> kMantissaBits;
  const bool is_ordinary = exponent > 0 && exponent < kTwiceBias;
  return is_ordinary ? std::bit_cast<R>((kTwiceBias - exponent) << kMantissaBits) : R(1);
}

}  // namespace frond
