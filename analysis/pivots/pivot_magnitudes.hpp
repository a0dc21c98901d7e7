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

/// The magnitudes of the entries of a pattern, with rows and columns scaled; none, where only the pattern counts. They may still be
/// in transit while an order by the pattern is sought.
class PivotMagnitudes {
 public:
  PivotMagnitudes() = default;
  PivotMagnitudes(std::span<const double> known)  // NOLINT(google-explicit-constructor): the same numbers
      : known_(known) {}
  PivotMagnitudes(const std::vector<double>& known)  // NOLINT(google-explicit-constructor): the same numbers
      : PivotMagnitudes(std::span(known)) {}
  /// `wait` returns them once they have arrived; it may be called again, and may throw.
  explicit PivotMagnitudes(std::function<std::span<const double>()> wait) : wait_(std::move(wait)) {}

  [[nodiscard]] bool are_expected() const { return wait_ || !known_.empty(); }
  [[nodiscard]] std::span<const double> get() const { return wait_ ? wait_() : known_; }

 private:
  std::span<const double> known_;
  std::function<std::span<const double>()> wait_;
};

}  // namespace frond
