// SPDX-License-Identifier: BSD-3-Clause
// Magnitudes for the choice of pivots, which may arrive late.
#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace frond {

/// The kind of pivots for which large entries were sought before the ordering.
enum class MatchingKind {
  none,
  pairs,  ///< 2 by 2 pivots of a symmetric matrix, whose variables were kept together
  rows    ///< a diagonal for LU: rows were permuted
};

/// The default of PivotingOptions::pivot_threshold.
inline constexpr double kUsualThreshold = 0.01;

/// The magnitudes of the entries of a pattern, with rows and columns scaled; none, where only the pattern counts. They may still be
/// in transit while an order by the pattern is sought. With them comes the smallest pivot, as a fraction of the largest entry in
/// its row and column, that a factorization accepts where delays would be expensive.
class PivotMagnitudes {
 public:
  PivotMagnitudes() = default;
  PivotMagnitudes(std::span<const double> known,  // NOLINT(google-explicit-constructor): the same numbers
                  double lowest_threshold = kUsualThreshold)
      : known_(known), lowest_threshold_(lowest_threshold) {}
  PivotMagnitudes(const std::vector<double>& known,  // NOLINT(google-explicit-constructor): the same numbers
                  double lowest_threshold = kUsualThreshold)
      : PivotMagnitudes(std::span(known), lowest_threshold) {}
  /// `wait` returns them once they have arrived; it may be called again, and may throw.
  explicit PivotMagnitudes(std::function<std::span<const double>()> wait, double lowest_threshold = kUsualThreshold)
      : wait_(std::move(wait)), lowest_threshold_(lowest_threshold) {}

  [[nodiscard]] bool are_expected() const { return wait_ || !known_.empty(); }
  [[nodiscard]] std::span<const double> get() const { return wait_ ? wait_() : known_; }
  [[nodiscard]] double lowest_threshold() const { return lowest_threshold_; }

 private:
  std::span<const double> known_;
  std::function<std::span<const double>()> wait_;
  double lowest_threshold_ = kUsualThreshold;
};

}  // namespace frond
