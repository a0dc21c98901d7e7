// SPDX-License-Identifier: BSD-3-Clause
// Relays a message for many ranks among them.
#pragma once

#include <span>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// A receiver of the message, and the ranks to which it passes the message on in the same way.
struct RelayBranch {
  Rank to = 0;
  std::span<const Rank> relays;
};

/// Splits the ranks into two halves, whose first ranks each relay to the rest of their half; fewer branches where there are fewer
/// ranks. So each rank sends a message at most twice, and it has arrived everywhere after log2 of the number of ranks. The branches
/// refer to `ranks`.
[[nodiscard]] std::vector<RelayBranch> relay_branches(std::span<const Rank> ranks);

}  // namespace frond
