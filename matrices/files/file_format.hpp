// SPDX-License-Identifier: BSD-3-Clause
// Finding out what a file is by looking at its first lines.
#pragma once

#include <string>
#include <string_view>

#include "matrices/files/scanner.hpp"

namespace frond {

enum class FileFormat { matrix_market, harwell_boeing };

struct FormattedText {
  FileFormat format;
  Scanner scanner;  ///< at the first line of the format, with notes of what was passed over before it
};

/// The format of a text. When it is none that can be read, throws an InputError that says what the file looks like and what to do.
[[nodiscard]] FormattedText detect_format(std::string_view text, const std::string& file);

}  // namespace frond
