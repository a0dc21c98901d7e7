// SPDX-License-Identifier: BSD-3-Clause
// What a benchmark found, for people at a terminal.
#pragma once

#include <string>

#include "tools/program/bench/bench_results.hpp"

namespace frond {

/// Everything; ends with a newline.
[[nodiscard]] std::string describe(const BenchResults& results);

/// One line for each adapter that was not built, with the Debian package that it needs; empty if there are all.
[[nodiscard]] std::string describe_missing(const std::vector<MissingPeer>& missing);

/// Three digits, or "-" for NaN.
[[nodiscard]] std::string format_seconds(double seconds);

/// "1.23", or "-" for NaN.
[[nodiscard]] std::string format_figure(double value, int decimals);

}  // namespace frond
