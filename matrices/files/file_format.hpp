// SPDX-License-Identifier: BSD-3-Clause
// Detects the format of a file from its first lines.
#pragma once

#include <string>
#include <string_view>

#include "matrices/files/scanner.hpp"

namespace frond {

enum class FileFormat { matrix_market, harwell_boeing };

struct FormattedText {
  FileFormat format;
  Scanner scanner;  ///< at the first line of the format, with notes about what was skipped before it
};

/// Returns the format of a text. If it cannot be read, throws an InputError that says what the file looks like and what to do.
[[nodiscard]] FormattedText detect_format(std::string_view text, const std::string& file);

}  // namespace frond
