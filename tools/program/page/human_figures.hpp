// SPDX-License-Identifier: BSD-3-Clause
// Formats figures for people: few digits, groups of three, prefixes of units. Narrow no-break spaces keep each on one line.
#pragma once

#include <string>
#include <string_view>

namespace frond {

using FigureFormat = std::string (*)(double);

/// Separates groups of digits, and figures from units.
inline constexpr std::string_view kThinSpace = "\u202f";

/// Formats three significant digits, or all before the point: "0", "0.0421", "6.80", "123", "12 345".
[[nodiscard]] std::string format_three_digits(double value);

/// Formats a whole number: "10 500".
[[nodiscard]] std::string format_count(double count);

/// Formats with a prefix for a power of 1000 and the unit: "8.70 M", "5.00 GB", "12" for small whole numbers.
[[nodiscard]] std::string format_scaled(double value, std::string_view unit = "");

/// Does the same without superfluous digits, for axes: "1 M", "2.5 k", "0.05".
[[nodiscard]] std::string format_tick(double value);

/// "6.80 s", "42.1 ms", "12.3 µs"
[[nodiscard]] std::string format_duration(double seconds);

/// Formats a ratio with two digits after the point: "1.34".
[[nodiscard]] std::string format_factor(double factor);

}  // namespace frond
