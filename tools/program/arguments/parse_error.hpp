// SPDX-License-Identifier: BSD-3-Clause
// Explains what is wrong with a command line, and what may have been meant.
#pragma once

#include <string>

#include "tools/program/arguments/command_line.hpp"

namespace frond {

/// Describes the error in a sentence without its full stop. For an option that does not exist it says how --set, or an option that
/// takes that word, is written.
[[nodiscard]] std::string describe_parse_error(CLI::App& command, const CLI::ParseError& error);

}  // namespace frond
