// SPDX-License-Identifier: BSD-3-Clause
// What is wrong with a command line, and what may have been meant.
#pragma once

#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): the library is called so
class App;
class ParseError;
}  // namespace CLI

namespace frond {

/// What is wrong with the words of a command, in a sentence without its point.
[[nodiscard]] std::string describe_parse_error(const CLI::App& command, const CLI::ParseError& error);

}  // namespace frond
