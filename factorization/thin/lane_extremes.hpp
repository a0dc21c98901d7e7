// SPDX-License-Identifier: BSD-3-Clause
// What is known of the factors of several systems at a time.
#pragma once

#include <algorithm>
#include <limits>

#include "factorization/thin/lane_numbers.hpp"
#include "factorization/thin/sparse_pattern.hpp"

namespace frond {

/// What pivots of each lane are judged by: PivotExtremes, and whether they can be used at all.
template <Scalar S>
struct LaneExtremes {
  using Reals = LaneReals<RealOf<S>>;

  Reals largest_entry = {};
  Reals largest_of_upper = {};
  Reals smallest_pivot = Reals::all(std::numeric_limits<RealOf<S>>::infinity());
  Reals largest_multiplier = {};  ///< of L
  Reals nothing = {};             ///< 0 times all numbers that must be finite: NaN if one is not

  [[gnu::always_inline]] void take_entry(LaneNumbers<S> entry) { largest_entry = larger(largest_entry, magnitude_bound(entry)); }
  [[gnu::always_inline]] void take_upper(LaneNumbers<S> u) { largest_of_upper = larger(largest_of_upper, magnitude_bound(u)); }
  [[gnu::always_inline]] void take_multiplier(LaneNumbers<S> l) {
    const Reals size = magnitude_bound(l);
    largest_multiplier = larger(largest_multiplier, size);
    nothing += Reals{} * size;
  }
  [[gnu::always_inline]] void take_pivot(LaneNumbers<S> pivot, LaneNumbers<S> inverse) {
    const Reals size = magnitude_bound(pivot);
    take_upper(pivot);
    smallest_pivot = smaller(smallest_pivot, size);
    nothing += Reals{} * size + Reals{} * magnitude_bound(inverse);
  }
  /// See PivotExtremes::take_column().
  [[gnu::always_inline]] void take_column(const LaneExtremes& column) {
    largest_entry = Reals::all(1);
    const Reals scale = inverse(column.largest_entry);
    largest_of_upper = larger(largest_of_upper, column.largest_of_upper * scale);
    smallest_pivot = smaller(smallest_pivot, column.smallest_pivot * scale);
    largest_multiplier = larger(largest_multiplier, column.largest_multiplier);
    nothing += column.nothing;
  }

  [[nodiscard]] bool are_usable(int lane, RealOf<S> threshold) const {
    return lane_of(nothing, lane) == 0 && lane_of(largest_multiplier, lane) * threshold <= 1;
  }
  [[nodiscard]] PivotExtremes<S> of(int lane) const {
    return {.largest_entry = lane_of(largest_entry, lane),
            .largest_of_upper = lane_of(largest_of_upper, lane),
            .smallest_pivot = lane_of(smallest_pivot, lane)};
  }
};

}  // namespace frond
