// SPDX-License-Identifier: BSD-3-Clause
// Puts the options of the solver's table (frond/named_options.hpp) on command lines.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "frond/named_options.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library is called so
class App;
class Option;
}  // namespace CLI

namespace frond {

/// The options of the table that a command line gives, by name, each as the word that it gives.
class NamedArguments {
 public:
  /// Adds --`name` to a command that this object outlives, with the help, group and values of the table; `help`, if it is not
  /// empty, takes the place of the table's. A value that the option cannot take is an error of the command line.
  CLI::Option* add(CLI::App& command, std::string_view name, std::string_view help = {});
  void add_group(CLI::App& command, std::string_view group);  ///< all of a group of the table

  [[nodiscard]] bool has(std::string_view name) const { return words_.contains(name); }
  [[nodiscard]] bool is(std::string_view name, std::string_view word) const {
    return has(name) && words_.find(name)->second == word;
  }
  /// What the option is unless the command line gives it, instead of the library's default.
  void preset(std::string_view name, std::string_view word) { presets_.insert_or_assign(std::string(name), word); }
  void set(std::string_view name, std::string_view word) { words_.insert_or_assign(std::string(name), word); }

  void apply(SolverOptions& options) const;
  void append_to(std::vector<std::string>& command_line) const;

 private:
  std::map<std::string, std::string, std::less<>> presets_;
  std::map<std::string, std::string, std::less<>> words_;
};

}  // namespace frond
