// SPDX-License-Identifier: BSD-3-Clause
// Writes the results of a benchmark for programs: every single measurement.
#pragma once

#include <string>

#include "tools/program/bench/bench_results.hpp"

namespace frond {

[[nodiscard]] std::string bench_json(const BenchResults& results);

/// Returns a line for each run of each contestant, below a line with the names of the columns.
[[nodiscard]] std::string bench_tsv(const BenchResults& results);

}  // namespace frond
