// SPDX-License-Identifier: BSD-3-Clause
// Makes sure the machine really has its memory, for the next measurement.
#pragma once

#include "frond/types.hpp"

namespace frond {

/// Writes to this many bytes and frees them, but never more than half of the available memory: virtual machines take unused memory
/// from their guests, and the first to touch it again waits several times as long as the next.
void touch_memory(Count bytes);

}  // namespace frond
