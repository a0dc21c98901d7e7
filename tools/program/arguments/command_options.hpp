// SPDX-License-Identifier: BSD-3-Clause
// Adds options to a command: their spelling, the place of their values, their help and their group.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/program/arguments/file_arguments.hpp"
#include "tools/program/process/exit_code.hpp"
#include "tools/program/process/launch.hpp"

namespace frond {

/// The options of one group of a command; everyday ones are in the group "Options". Spellings are those of the help: "--seed SEED".
class CommandOptions {
 public:
  explicit CommandOptions(CLI::App& command, std::string group = "Options") : command_(command), group_(std::move(group)) {}

  template <class Value>
  CLI::Option* add(std::string_view spelling, Value& value, const std::string& help) const {
    const std::size_t blank = spelling.find(' ');
    CLI::Option* option = command_.add_option(std::string(spelling.substr(0, blank)), value, help);
    return option->type_name(std::string(spelling.substr(blank + 1)))->group(group_);
  }
  /// Adds an option whose value is one of these words.
  CLI::Option* add_choice(std::string_view spelling, std::string& word, const std::string& help,
                          const std::vector<std::string>& words) const {
    return add(spelling, word, help)->check(CLI::IsMember(words));
  }
  /// Adds an option whose values are joined by commas.
  template <class Value>
  CLI::Option* add_list(std::string_view spelling, std::vector<Value>& values, const std::string& help) const {
    return add(spelling, values, help)->delimiter(',')->allow_extra_args(false);
  }
  /// Adds an option that may be repeated.
  CLI::Option* add_repeated(std::string_view spelling, std::vector<std::string>& values, const std::string& help) const {
    return add(spelling, values, help)->allow_extra_args(false);
  }
  /// Adds an option that names a file or a directory, or is empty if it is not given.
  CLI::Option* add_path(std::string_view spelling, std::string& path, const std::string& help) const {
    return add(spelling, path, help)->check(refuse_empty_name);
  }
  /// Adds an option that names two of them, or something and a file.
  CLI::Option* add_paths(std::string_view spelling, std::vector<std::string>& paths, const std::string& help) const {
    return add(spelling, paths, help)->expected(2)->check(refuse_empty_name);
  }
  template <class Value>
  CLI::Option* add_flag(const std::string& name, Value& value, const std::string& help) const {
    return command_.add_flag(name, value, help)->group(group_);
  }

 private:
  CLI::App& command_;
  std::string group_;
};

/// Makes the command call run(arguments), in one process, and keep its exit code.
template <class Arguments>
void run_alone(CLI::App& command, const std::shared_ptr<Arguments>& arguments, ExitCode (*run)(const Arguments&),
               const Launch& launch, ExitCode& result) {
  command.callback([name = command.get_name(), arguments, run, &launch, &result] {
    require_one_process(launch, name);
    result = run(*arguments);
  });
}

}  // namespace frond
