// SPDX-License-Identifier: BSD-3-Clause
// Combines the reports of parts of a factorization.
#include "factorization/fronts/level_counts.hpp"
#include "frond/factorization_report.hpp"

#include <algorithm>
#include <utility>

namespace frond {

FactorizationReport& FactorizationReport::operator+=(const FactorizationReport& other) {
  status = std::max(status, other.status);
  inertia.positive += other.inertia.positive;
  inertia.negative += other.inertia.negative;
  inertia.zero += other.inertia.zero;
  determinant *= other.determinant;
  num_delayed_pivots += other.num_delayed_pivots;
  num_two_by_two += other.num_two_by_two;
  num_perturbed_pivots += other.num_perturbed_pivots;
  num_panels_undone += other.num_panels_undone;
  const auto num_before = static_cast<std::ptrdiff_t>(null_pivots.size());
  null_pivots.insert(null_pivots.end(), other.null_pivots.begin(), other.null_pivots.end());
  std::inplace_merge(null_pivots.begin(), null_pivots.begin() + num_before, null_pivots.end());
  if (std::pair(other.smallest_pivot, other.smallest_pivot_variable) < std::pair(smallest_pivot, smallest_pivot_variable)) {
    smallest_pivot = other.smallest_pivot;
    smallest_pivot_variable = other.smallest_pivot_variable;
    smallest_pivot_sign = other.smallest_pivot_sign;
  }
  largest_entry = std::max(largest_entry, other.largest_entry);
  pivot_growth = std::max(pivot_growth, other.pivot_growth);
  flops += other.flops;
  factor_entries += other.factor_entries;
  factor_bytes += other.factor_bytes;
  peak_bytes = std::max(peak_bytes, other.peak_bytes);
  max_front_order = std::max(max_front_order, other.max_front_order);
  num_workers_seen = std::max(num_workers_seen, other.num_workers_seen);
  for (std::size_t k = 0; k < other.levels.size(); ++k) {
    at_level(levels, other.first_level - first_level + static_cast<Index>(k)) += other.levels[k];
  }
  return *this;
}

}  // namespace frond
