// SPDX-License-Identifier: BSD-3-Clause
// Rates of memory.
#pragma once

#include "tools/program/calibration/effort.hpp"

namespace frond {

/// Bytes per second of memory from the system whose pages are used for the first time.
[[nodiscard]] double measure_fresh_memory(const CalibrationEffort& effort);

/// Bytes per second of copying what no cache holds into messages, whose memory is fresh.
[[nodiscard]] double measure_copies(const CalibrationEffort& effort);

}  // namespace frond
