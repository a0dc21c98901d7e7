// SPDX-License-Identifier: BSD-3-Clause
// Measures the speed of memory, and how quickly the main loop of a rank wakes up.
#pragma once

#include "tools/program/calibration/effort.hpp"

namespace frond {

/// Returns bytes per second for memory from the system whose pages are used for the first time.
[[nodiscard]] double measure_fresh_memory(const CalibrationEffort& effort);

/// Returns bytes per second for copying uncached data into messages, whose memory is fresh.
[[nodiscard]] double measure_copies(const CalibrationEffort& effort);

/// Returns the seconds by which a short sleep of the loop is too long: the system's timers, and waking the thread.
[[nodiscard]] double measure_wake_delay(const CalibrationEffort& effort);

}  // namespace frond
