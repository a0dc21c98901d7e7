// SPDX-License-Identifier: BSD-3-Clause
// How a message for many ranks is passed on among them.
#pragma once

#include <span>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// Who gets the message from whoever has it, and the ranks to whom it passes it on in the same way.
struct RelayBranch {
  Rank to = 0;
  std::span<const Rank> relays;
};

/// Two halves of the ranks, the first of each for all of it; fewer branches where there are fewer ranks. So everybody sends a
/// message twice at most, and it has arrived everywhere after log2 of the number of ranks. The branches refer to `ranks`.
[[nodiscard]] std::vector<RelayBranch> relay_branches(std::span<const Rank> ranks);

}  // namespace frond
