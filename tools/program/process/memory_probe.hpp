// SPDX-License-Identifier: BSD-3-Clause
// The memory of this process as the operating system sees it, and that of the machine.
#pragma once

#include "frond/types.hpp"

namespace frond {

/// Resident memory (VmRSS) in bytes, 0 if /proc does not report it.
[[nodiscard]] Count resident_bytes();

/// The highest resident memory (VmHWM) since the start of the process or the last successful reset_peak_bytes().
[[nodiscard]] Count peak_bytes();

/// Makes peak_bytes() start again from the present (5 into /proc/self/clear_refs). False if the system does not allow it.
bool reset_peak_bytes();

/// Writes to this many bytes and frees them, but never more than half of the available memory: virtual machines take unused memory
/// from their guests, and the first to touch it again waits several times as long as the next.
void touch_memory(Count bytes);

}  // namespace frond
