// SPDX-License-Identifier: BSD-3-Clause
// Finding out what a file is by looking at its first lines.
#pragma once

#include <string>
#include <string_view>

namespace frond {

enum class FileFormat { matrix_market, harwell_boeing };

/// The format of a text. When it is none that can be read, throws an InputError that says what the file looks like and what to do.
[[nodiscard]] FileFormat detect_format(std::string_view text, const std::string& file);

}  // namespace frond
