// SPDX-License-Identifier: BSD-3-Clause
// Shows the results of a benchmark at a glance.
#pragma once

#include <string>

#include "tools/program/bench/bench_results.hpp"

namespace frond {

/// Returns one self-contained HTML page: a performance profile for each number of cores, and bars for each problem.
[[nodiscard]] std::string bench_page(const BenchResults& results);

/// Returns an SVG file: for each problem the total time of Frond and of the best peer, on the largest number of cores measured, as
/// lengths relative to the peer's. Problems that were not solved by both are left out.
[[nodiscard]] std::string bench_chart(const BenchResults& results);

}  // namespace frond
