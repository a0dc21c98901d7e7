// SPDX-License-Identifier: BSD-3-Clause
// Memory that the machine really has, for whoever is measured next.
#pragma once

#include "frond/types.hpp"

namespace frond {

/// Writes to so many bytes and gives them back, but never more than half of what is available: virtual machines take memory that
/// nobody uses from their guests, and the first to touch it again waits several times as long as the next.
void touch_memory(Count bytes);

}  // namespace frond
