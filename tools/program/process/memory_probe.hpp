// SPDX-License-Identifier: BSD-3-Clause
// The memory of this process as the operating system sees it.
#pragma once

#include "frond/types.hpp"

namespace frond {

/// Resident memory (VmRSS) in bytes, 0 if /proc does not report it.
[[nodiscard]] Count resident_bytes();

/// The highest resident memory (VmHWM) since the start of the process or the last successful reset_peak_bytes().
[[nodiscard]] Count peak_bytes();

/// Makes peak_bytes() start again from the present (5 into /proc/self/clear_refs). False if the system does not allow it.
bool reset_peak_bytes();

}  // namespace frond
