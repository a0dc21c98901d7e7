// SPDX-License-Identifier: BSD-3-Clause
// Formats and parses human-readable sizes in bytes.
#pragma once

#include <string>
#include <string_view>

#include "frond/types.hpp"

namespace frond {

/// Reads "800MiB", "1.5 GB", "2e9" and the like: a number and B, kB, MB, GB, TB (powers of 1000) or KiB, MiB, GiB, TiB (powers of
/// 1024), in any case, the B of a unit may be left out; no unit means bytes. Throws UsageError.
[[nodiscard]] Count parse_byte_size(std::string_view text);

/// "1.23 GB"
[[nodiscard]] std::string format_byte_size(Count bytes);

}  // namespace frond
