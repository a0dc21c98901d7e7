// SPDX-License-Identifier: BSD-3-Clause
// Measures right-hand sides of several systems by one pass over the entries.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "factorization/thin/lane_numbers.hpp"
#include "frond/matrix.hpp"
#include "frond/report.hpp"

namespace frond {

/// Sums over one equation of each system: see QuickSums.
template <Scalar S>
struct LaneSums {
  LaneNumbers<S> rest;
  LaneReals<RealOf<S>> size;
  LaneReals<RealOf<S>> row_sum;
};

/// Of each system, as measure_quickly() says it.
template <Scalar S>
using LaneReports = std::array<std::optional<ColumnReport>, kLanes<S>>;

/// Measures x of matrices of this pattern as measure_quickly() does. `sums` is memory for the order. O(entries).
template <Scalar S>
[[nodiscard]] LaneReports<S> measure_lanes(const PatternView& pattern, const LaneNumbers<S>* values, bool is_transposed,
                                           std::span<const LaneNumbers<S>> b, std::span<const LaneNumbers<S>> x,
                                           std::span<LaneSums<S>> sums);

}  // namespace frond
