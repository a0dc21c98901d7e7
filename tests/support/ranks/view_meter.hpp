// SPDX-License-Identifier: BSD-3-Clause
// Measures how stale views are: by their errors at decisions, as seen by a driver that knows all ranks.
#pragma once

#include <span>
#include <vector>

#include "loadinfo/mechanisms/load.hpp"

namespace frond::test {

/// Errors of the views at all decisions.
struct ErrorSummary {
  double mean = 0;
  double largest = 0;
};

/// The true load of a rank is what it counts itself, plus what decisions gave it and it does not count yet. The error of a view is
/// the sum over the candidates of |view - truth|, relative to the larger of the sums of |view| and of |truth|: 0 is exact, 2 the
/// maximum.
class ViewMeter {
 public:
  explicit ViewMeter(Rank num_ranks) : open_(static_cast<std::size_t>(num_ranks)) {}

  /// Called before a decision by `view`. counted[j] = load of rank j as it counts it; both lists have all ranks.
  void measure(std::span<const Rank> candidates, std::span<const Load> view, std::span<const Load> counted);
  void choose(std::span<const Assignment> slaves);  ///< the result of that decision
  void count(Rank slave, const Load& load);         ///< a slave now counts what it was chosen for

  [[nodiscard]] Count num_decisions() const { return static_cast<Count>(flops_.size()); }
  [[nodiscard]] ErrorSummary flops() const { return summary(flops_); }
  [[nodiscard]] ErrorSummary bytes() const { return summary(bytes_); }

 private:
  [[nodiscard]] static ErrorSummary summary(const std::vector<double>& errors);

  std::vector<Load> open_;     // [rank] = what it was chosen for and does not count
  std::vector<double> flops_;  // [decision] = relative error
  std::vector<double> bytes_;
};

}  // namespace frond::test
