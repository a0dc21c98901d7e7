// SPDX-License-Identifier: BSD-3-Clause
// Adds `--only` and checks its words.
#include "tools/program/arguments/only_argument.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>

namespace frond {

CLI::Option* add_only_option(CLI::App& command, OnlyArgument& only, const std::string& description) {
  const auto take_once = [&only](const std::vector<std::string>& words) {
    std::copy_if(words.begin(), words.end(), std::back_inserter(only),
                 [&only](const std::string& word) { return std::find(only.begin(), only.end(), word) == only.end(); });
  };
  return command.add_option_function<std::vector<std::string>>("--only", take_once, description)
      ->delimiter(',')
      ->check(CLI::IsMember({"inertia", "rank", "determinant"}))
      ->type_name("LIST");
}

}  // namespace frond
