// SPDX-License-Identifier: BSD-3-Clause
// Formats and parses human-readable durations.
#pragma once

#include <string>
#include <string_view>

namespace frond {

/// `option` is for messages. Reads "90", "90s", "10min", "1.5 h" and the like as seconds; no unit means seconds. Throws
/// UsageError.
[[nodiscard]] double parse_duration(std::string_view option, std::string_view text);

/// "2.5 h", "15 min", "3.21 s", "45 ms"
[[nodiscard]] std::string format_long_duration(double seconds);

/// In the form that parse_duration() reads, rounded: whole seconds, at least one, or whole minutes from ten minutes on.
[[nodiscard]] std::string whole_duration(double seconds);

}  // namespace frond
