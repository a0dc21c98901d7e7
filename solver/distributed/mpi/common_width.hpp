// SPDX-License-Identifier: BSD-3-Clause
// How many columns ranks solve for together.
#pragma once

#include "frond/types.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// What a rank passes that has neither rows nor columns.
inline constexpr Index kNoBlock = -1;

/// The numbers of columns of B and of X that a rank passes.
struct Widths {
  Index b = kNoBlock;
  Index x = kNoBlock;
};

/// Collective: that of all blocks, 0 if there are none. Throws UsageError on all ranks alike where they differ.
[[nodiscard]] Index common_width(const Communicator& ranks, Widths mine);

}  // namespace frond
