// SPDX-License-Identifier: BSD-3-Clause
// Times as people write them.
#pragma once

#include <string_view>

namespace frond {

/// `option` is for messages. Reads "90", "90s", "10min", "1.5 h" and the like as seconds; no unit means seconds. Throws
/// UsageError.
[[nodiscard]] double parse_duration(std::string_view option, std::string_view text);

}  // namespace frond
