// SPDX-License-Identifier: BSD-3-Clause
// Maps the rows of a front in the analysis to their places in the factorized front.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// Pivoting permutes the fully summed variables of a front, and delayed ones of its children join them.
///
///   the analysis has {4, 5 | 8, 11}, the factorized front {5, 2, 4 | 8, 11}
///     =>  of_variable: 5 -> 0, 2 -> 1, 4 -> 2;   of_position: 0 -> 2, 1 -> 0, 2 -> 3, 3 -> 4
class FrontPlaces {
 public:
  /// The front has `num_own` fully summed variables from `first_own` on in the analysis; when factorized, it has `fully_summed` in
  /// its first places.
  void set(Index first_own, Index num_own, std::span<const Index> fully_summed) {
    first_own_ = first_own;
    num_fully_summed_ = static_cast<Index>(fully_summed.size());
    own_.resize(static_cast<std::size_t>(num_own));
    delayed_.clear();
    for (Index place = 0; place < num_fully_summed_; ++place) {
      const Index variable = fully_summed[place];
      if (variable < first_own) {
        delayed_.emplace_back(variable, place);
      } else {
        own_[variable - first_own] = place;
      }
    }
    std::sort(delayed_.begin(), delayed_.end());
  }

  /// The place of a fully summed variable.
  [[nodiscard]] Index of_variable(Index variable) const {
    return variable < first_own_ ? std::lower_bound(delayed_.begin(), delayed_.end(), std::pair(variable, Index{0}))->second
                                 : own_[variable - first_own_];
  }

  /// The place of a position of the analysed front.
  [[nodiscard]] Index of_position(Index position) const {
    const auto num_own = static_cast<Index>(own_.size());
    return position < num_own ? own_[position] : num_fully_summed_ + position - num_own;
  }

 private:
  Index first_own_ = 0;
  Index num_fully_summed_ = 0;
  std::vector<Index> own_;                        // [i] = place of variable first_own_ + i
  std::vector<std::pair<Index, Index>> delayed_;  // variable and place, increasing
};

}  // namespace frond
