// SPDX-License-Identifier: BSD-3-Clause
// Determines which ranks may choose which as slaves.
#pragma once

#include "analysis/mapping/mapping.hpp"
#include "loadinfo/mechanisms/load_watchers.hpp"

namespace frond {

/// The masters of row-distributed fronts watch the candidates of these.
[[nodiscard]] LoadWatchers load_watchers(const Mapping& mapping);

}  // namespace frond
