// SPDX-License-Identifier: BSD-3-Clause
// Shows the results of a benchmark at a glance.
#pragma once

#include <string>

#include "tools/program/bench/bench_results.hpp"

namespace frond {

/// Returns one self-contained HTML page: a performance profile for each number of cores, and bars for each problem.
[[nodiscard]] std::string bench_page(const BenchResults& results);

}  // namespace frond
