// SPDX-License-Identifier: BSD-3-Clause
// What a benchmark found, for programs: with every single measurement.
#pragma once

#include <string>

#include "tools/program/bench/bench_results.hpp"

namespace frond {

[[nodiscard]] std::string bench_json(const BenchResults& results);

/// A line for each run of each contestant, under a line with the names of the columns.
[[nodiscard]] std::string bench_tsv(const BenchResults& results);

}  // namespace frond
