// SPDX-License-Identifier: BSD-3-Clause
// How quickly the main loop of a rank comes back from its sleep.
#pragma once

#include "tools/program/calibration/effort.hpp"

namespace frond {

/// Seconds by which a short sleep of the loop lasts longer than it should: the system's timers, and waking the thread.
[[nodiscard]] double measure_wake_delay(const CalibrationEffort& effort);

}  // namespace frond
