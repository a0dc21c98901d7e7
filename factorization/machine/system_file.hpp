// SPDX-License-Identifier: BSD-3-Clause
// Numbers from the small text files by which the system describes itself.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "frond/types.hpp"

namespace frond {

/// The file's first word as a number; none if there is no such file, or another word, such as "max".
[[nodiscard]] std::optional<Count> read_number(const std::filesystem::path& file);

/// The number behind `key`, the first word of a line ("MemAvailable:", "inactive_file"); none if there is no such line.
[[nodiscard]] std::optional<Count> read_entry(const std::filesystem::path& file, std::string_view key);

}  // namespace frond
