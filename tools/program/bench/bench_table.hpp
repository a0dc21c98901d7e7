// SPDX-License-Identifier: BSD-3-Clause
// Prints the results of a benchmark for people at a terminal.
#pragma once

#include <string>
#include <string_view>

#include "tools/program/bench/bench_results.hpp"

namespace frond {

/// Returns the whole table; it ends with a newline.
[[nodiscard]] std::string describe(const BenchResults& results);

/// Returns a line for each of Frond's contestants: its name and the geometric means of its ratios to the best peer, in these
/// formats.
[[nodiscard]] std::string mean_lines(const BenchResults& results, std::string_view first, std::string_view cell,
                                     std::string_view end);

/// Returns one line for each adapter that was not built, with the Debian package that it needs; empty if none is missing.
[[nodiscard]] std::string describe_missing(const std::vector<MissingPeer>& missing);

/// Three digits, or "-" for NaN.
[[nodiscard]] std::string format_seconds(double seconds);

/// "1.23", or "-" for NaN.
[[nodiscard]] std::string format_figure(double value, int decimals);

}  // namespace frond
