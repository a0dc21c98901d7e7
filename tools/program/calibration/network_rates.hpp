// SPDX-License-Identifier: BSD-3-Clause
// Measures messages between two processes.
#pragma once

#include <optional>

#include "tools/program/calibration/effort.hpp"
#include "tools/program/process/exit_code.hpp"
#include "tools/program/process/launch.hpp"

namespace frond {

struct NetworkRates {
  double latency_seconds = 0;      ///< from one process to the other
  double bytes_per_second = 0;     ///< of long messages, in one direction
  double seconds_per_message = 0;  ///< short ones, sent back to back
};

/// Measures between the first two processes that the launcher has started, through the channels of a factorization; all processes
/// call it and return at the same time. Returns nothing on the other processes, or if there is only one. The processes stay
/// together until `farewell`. Throws UsageError.
[[nodiscard]] std::optional<NetworkRates> measure_network(const Launch& launch, const CalibrationEffort& effort,
                                                          Farewell& farewell);

}  // namespace frond
