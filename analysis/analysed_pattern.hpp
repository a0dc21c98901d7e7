// SPDX-License-Identifier: BSD-3-Clause
// The pattern that an analysis is of, recovered.
#pragma once

#include "analysis/graph/owned_pattern.hpp"
#include "analysis/symbolic.hpp"

namespace frond {

/// The pattern that was analysed. O(entries).
[[nodiscard]] OwnedPattern analysed_pattern(const Symbolic& symbolic);

}  // namespace frond
