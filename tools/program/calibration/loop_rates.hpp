// SPDX-License-Identifier: BSD-3-Clause
// Measures how quickly the main loop of a rank wakes up.
#pragma once

#include "tools/program/calibration/effort.hpp"

namespace frond {

/// Returns the seconds by which a short sleep of the loop is too long: the system's timers, and waking the thread.
[[nodiscard]] double measure_wake_delay(const CalibrationEffort& effort);

}  // namespace frond
