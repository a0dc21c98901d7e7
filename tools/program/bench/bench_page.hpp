// SPDX-License-Identifier: BSD-3-Clause
// What a benchmark found, at a glance.
#pragma once

#include <string>

#include "tools/program/bench/bench_results.hpp"

namespace frond {

/// One page of HTML that needs nothing but itself: a performance profile for each number of cores, and bars for each problem.
[[nodiscard]] std::string bench_page(const BenchResults& results);

}  // namespace frond
