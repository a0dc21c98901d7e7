// SPDX-License-Identifier: BSD-3-Clause
// Draws a run over time: its phases, and the memory that it holds.
#pragma once

#include <string>
#include <vector>

namespace frond {

struct PagePhase {
  std::string name;
  double begin = 0;  ///< seconds
  double end = 0;
};

/// One bar for all phases, which follow one another, over `seconds`.
[[nodiscard]] std::string phase_chart(const std::vector<PagePhase>& phases, double seconds);
/// Explains the colours, with the seconds of each phase.
[[nodiscard]] std::string phase_legend(const std::vector<PagePhase>& phases);

struct MemoryPoint {
  double seconds = 0;
  double bytes = 0;  ///< from here to the next point
};

/// memory[rank] = its points by time.
using MemoryCurves = std::vector<std::vector<MemoryPoint>>;

/// A line for each rank, from 0 to `seconds`, and one across at `predicted` bytes.
[[nodiscard]] std::string memory_chart(const MemoryCurves& memory, double seconds, double predicted);

}  // namespace frond
