// SPDX-License-Identifier: BSD-3-Clause
// Draws the results of a benchmark as one picture.
#pragma once

#include <string>

#include "tools/program/bench/bench_results.hpp"

namespace frond {

/// Returns an SVG file: for each problem the total time of Frond and of the best peer, on the largest number of cores measured, as
/// lengths relative to the peer's. Problems that were not solved by both are left out.
[[nodiscard]] std::string bench_chart(const BenchResults& results);

}  // namespace frond
