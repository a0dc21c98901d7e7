// SPDX-License-Identifier: BSD-3-Clause
// Numbers of rows, columns and entries as positions in arrays.
#pragma once

#include <cstddef>

#include "frond/types.hpp"

namespace frond {

/// `index`, which is not negative.
[[nodiscard]] constexpr std::size_t at(Count index) { return static_cast<std::size_t>(index); }

}  // namespace frond
