// SPDX-License-Identifier: BSD-3-Clause
// Reads numbers from the small text files by which the system describes itself.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "frond/types.hpp"

namespace frond {

/// Returns the file's first word as a number; nothing if the file does not exist or has another word, such as "max".
[[nodiscard]] std::optional<Count> read_number(const std::filesystem::path& file);

/// Returns the number after `key`, the first word of a line ("MemAvailable:", "inactive_file"); nothing if there is no such line.
[[nodiscard]] std::optional<Count> read_entry(const std::filesystem::path& file, std::string_view key);

}  // namespace frond
