// SPDX-License-Identifier: BSD-3-Clause
// Splits ranks into halves.
#include "factorization/distributed/relay.hpp"

namespace frond {

std::vector<RelayBranch> relay_branches(std::span<const Rank> ranks) {
  const std::size_t middle = ranks.size() - ranks.size() / 2;
  std::vector<RelayBranch> branches;
  for (const std::span<const Rank> half : {ranks.first(middle), ranks.subspan(middle)}) {
    if (!half.empty()) {
      branches.push_back({half.front(), half.subspan(1)});
    }
  }
  return branches;
}

}  // namespace frond
