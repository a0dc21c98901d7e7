// SPDX-License-Identifier: BSD-3-Clause
// What a benchmark found, as one picture.
#pragma once

#include <string>

#include "tools/program/bench/bench_results.hpp"

namespace frond {

/// An SVG file: of each problem the total time of Frond and of the best peer, on the largest number of cores measured, as lengths
/// relative to the peer's. Problems that not both solved are left out.
[[nodiscard]] std::string bench_chart(const BenchResults& results);

}  // namespace frond
