// SPDX-License-Identifier: BSD-3-Clause
// Sorts numbers into groups.
#pragma once

#include <numeric>
#include <span>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// Some of the numbers 0, 1, ..., each in one group.
struct Groups {
  std::vector<Index> offsets;  ///< one more than there are groups
  std::vector<Index> members;  ///< of group g: [offsets[g], offsets[g + 1])

  [[nodiscard]] Index size(Index group) const { return offsets[group + 1] - offsets[group]; }
  [[nodiscard]] std::span<const Index> of(Index group) const {
    return {members.data() + offsets[group], members.data() + offsets[group + 1]};
  }
  [[nodiscard]] std::span<Index> of(Index group) { return {members.data() + offsets[group], members.data() + offsets[group + 1]}; }
};

/// Returns the groups, their members increasing; group_of[k] is negative if k is in none.
[[nodiscard]] inline Groups group_by(std::span<const Index> group_of, Index num_groups) {
  Groups groups;
  groups.offsets.assign(static_cast<std::size_t>(num_groups) + 1, 0);
  for (const Index group : group_of) {
    if (group >= 0) ++groups.offsets[group + 1];
  }
  std::partial_sum(groups.offsets.begin(), groups.offsets.end(), groups.offsets.begin());
  groups.members.resize(groups.offsets.back());
  std::vector<Index> next(groups.offsets.begin(), groups.offsets.end() - 1);
  for (Index k = 0; k < static_cast<Index>(group_of.size()); ++k) {
    if (group_of[k] >= 0) groups.members[next[group_of[k]]++] = k;
  }
  return groups;
}

}  // namespace frond
