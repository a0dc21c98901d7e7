// SPDX-License-Identifier: BSD-3-Clause
// Makes an option of CLI11 from a row of the table.
#include "tools/program/arguments/named_arguments.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cctype>

#include "frond/error.hpp"

namespace frond {
namespace {

// "Accept pivots by it (0 to 1; default: 0.01)".
std::string help_of(const NamedOption& option, std::string_view help, const SolverOptions& presets) {
  std::string text(help.empty() ? option.meaning : help);
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return fmt::format("{} ({}; default: {})", text, option.values, option_value(presets, option.name));
}

// Returns what is wrong with a word; empty if nothing is.
std::string objection_to(const NamedOption& option, const std::string& word) {
  try {
    SolverOptions scratch;
    set_option(scratch, option.name, word);
    return "";
  } catch (const UsageError&) {
    const bool is_range = std::isdigit(static_cast<unsigned char>(option.values.front())) != 0;
    return fmt::format("must be {}{}, not {}", is_range ? "a number from " : "", option.values, word);
  }
}

}  // namespace

CLI::Option* NamedArguments::add(CLI::App& command, std::string_view name, std::string_view help) {
  const NamedOption& option = named_option(name);
  SolverOptions presets;
  apply(presets);
  return command
      .add_option_function<std::string>(
          "--" + std::string(name), [this, name](const std::string& word) { set(name, word); }, help_of(option, help, presets))
      ->check([&option](const std::string& word) { return objection_to(option, word); })
      ->type_name(std::string(option.placeholder))
      ->group(option.group.empty() ? "Options" : std::string(option.group));
}

void NamedArguments::add_group(CLI::App& command, std::string_view group) {
  for (const NamedOption& option : named_options()) {
    if (option.group == group) {
      add(command, option.name);
    }
  }
}

void NamedArguments::apply(SolverOptions& options) const {
  for (const auto& words : {presets_, words_}) {
    for (const auto& [name, word] : words) {
      set_option(options, name, word);
    }
  }
}

void NamedArguments::append_to(std::vector<std::string>& command_line) const {
  for (const auto& [name, word] : words_) {
    command_line.insert(command_line.end(), {"--" + name, word});
  }
}

}  // namespace frond
