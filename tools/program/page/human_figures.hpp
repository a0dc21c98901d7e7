// SPDX-License-Identifier: BSD-3-Clause
// Figures as people read them: few digits, groups of three, prefixes of units. Narrow no-break spaces keep each on one line.
#pragma once

#include <string>
#include <string_view>

namespace frond {

using FigureFormat = std::string (*)(double);

/// Between groups of digits and before units.
inline constexpr std::string_view kThinSpace = "\u202f";

/// Three significant digits, or all of those before the point: "0", "0.0421", "6.80", "123", "12 345".
[[nodiscard]] std::string format_three_digits(double value);

/// A whole number: "10 500".
[[nodiscard]] std::string format_count(double count);

/// A prefix of a power of 1000, and the unit: "8.70 M", "5.00 GB", "12" for small whole numbers.
[[nodiscard]] std::string format_scaled(double value, std::string_view unit = "");

/// The same without digits that say nothing, for axes: "1 M", "2.5 k", "0.05".
[[nodiscard]] std::string format_tick(double value);

/// "6.80 s", "42.1 ms", "12.3 µs"
[[nodiscard]] std::string format_duration(double seconds);

/// A ratio, two digits behind the point: "1.34".
[[nodiscard]] std::string format_factor(double factor);

}  // namespace frond
