// SPDX-License-Identifier: BSD-3-Clause
// Agrees on the number of columns that ranks solve for together.
#pragma once

#include "frond/types.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Passed by a rank that has neither rows nor columns.
inline constexpr Index kNoBlock = -1;

/// A rank's numbers of columns of B and of X.
struct Widths {
  Index b = kNoBlock;
  Index x = kNoBlock;
};

/// Collective: returns the common width of all blocks, 0 if there are none. Throws UsageError on all ranks alike if they differ.
[[nodiscard]] Index common_width(const Communicator& ranks, Widths mine);

}  // namespace frond
