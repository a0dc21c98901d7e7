// SPDX-License-Identifier: BSD-3-Clause
// Converts numbers of rows, columns and entries to positions in arrays.
#pragma once

#include <cstddef>

#include "frond/types.hpp"

namespace frond {

/// Returns `index`, which must not be negative, as an array position.
[[nodiscard]] constexpr std::size_t at(Count index) { return static_cast<std::size_t>(index); }

}  // namespace frond
