// SPDX-License-Identifier: BSD-3-Clause
// Puts the options of the solver's table (solver/options/option_table.hpp) on command lines: everyday ones as options of their own,
// those for experts as settings of one option, --set NAME=VALUE.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/options/option_row.hpp"
#include "solver/options/option_table.hpp"
#include "tools/program/arguments/command_line.hpp"

namespace frond {

/// What --set sets: an option of the table, or one that only the program has.
struct Setting {
  NamedOption info;
  std::string value;                            ///< unless the command line gives another one
  std::function<void(std::string_view)> check;  ///< throws UsageError for a word that it cannot be
  std::function<void(std::string_view)> take;   ///< sets what only the program has; null for options of the table
};

/// A setting of `options`, which outlive the command.
template <class Options>
[[nodiscard]] Setting setting_of(const OptionRow<Options>& row, Options& options) {
  const auto check = [row](std::string_view word) {
    Options scratch;
    row.set(scratch, word);
  };
  return {row.info, row.get(options), check, [row, &options](std::string_view word) { row.set(options, word); }};
}

/// The options of the table that a command line gives, by name, each as the word that it gives.
class NamedArguments {
 public:
  /// Adds --`name` to a command that this object outlives, with the help, group and values of the table; `help`, if it is not
  /// empty, takes the place of the table's. A value that the option cannot take is an error of the command line.
  CLI::Option* add(CLI::App& command, std::string_view name, std::string_view help = {});
  /// Adds those of a group of the table that are not for experts, unless the command has them.
  void add_group(CLI::App& command, std::string_view group);
  /// Adds --set for `own` settings and those for experts in these groups, except what is an option of the command already.
  void add_settings(CLI::App& command, const std::vector<std::string_view>& groups, std::vector<Setting> own = {});

  [[nodiscard]] bool has(std::string_view name) const { return words_.contains(name) || own_.contains(name); }
  [[nodiscard]] bool is(std::string_view name, std::string_view word) const {
    return words_.contains(name) && words_.find(name)->second == word;
  }
  /// What the option is unless the command line gives it, instead of the library's default.
  void preset(std::string_view name, std::string_view word) { presets_.insert_or_assign(std::string(name), word); }
  void set(std::string_view name, std::string_view word) { words_.insert_or_assign(std::string(name), word); }

  void apply(SolverOptions& options) const;
  void append_to(std::vector<std::string>& command_line) const;

 private:
  [[nodiscard]] SolverOptions presets() const;

  std::map<std::string, std::string, std::less<>> presets_;
  std::map<std::string, std::string, std::less<>> words_;
  std::set<std::string, std::less<>> own_;  // settings of the program that are given
};

/// How a command line gives an option: "--set matching" or "--method".
[[nodiscard]] std::string spelling_of(const NamedOption& option);

/// The settings that the description of --set lists below its first line: "matching=WHEN" and what it means.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> listed_settings(const std::string& description);

}  // namespace frond
