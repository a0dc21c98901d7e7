// SPDX-License-Identifier: BSD-3-Clause
// Recovers the pattern from its analysis.
#pragma once

#include "analysis/graph/owned_pattern.hpp"
#include "analysis/symbolic.hpp"

namespace frond {

/// Returns the pattern that was analysed. O(entries).
[[nodiscard]] OwnedPattern analysed_pattern(const Symbolic& symbolic);

}  // namespace frond
