// SPDX-License-Identifier: BSD-3-Clause
// The words that it takes.
#include "tools/only_argument.hpp"

#include <CLI/CLI.hpp>

namespace frond {

CLI::Option* add_only_option(CLI::App& command, OnlyArgument& only, const std::string& description) {
  return command.add_option("--only", only, description)
      ->delimiter(',')
      ->check(CLI::IsMember({"inertia", "rank", "determinant"}))
      ->type_name("LIST");
}

}  // namespace frond
