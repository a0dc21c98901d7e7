// SPDX-License-Identifier: BSD-3-Clause
// Rewords the errors of CLI11.
#include "tools/program/arguments/parse_error.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "solver/options/suggestion.hpp"

namespace frond {
namespace {

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

// Describes the words that no option or positional argument takes.
std::string describe_extras(const CLI::App& command) {
  const std::vector<std::string> words = command.remaining();
  const auto option = std::find_if(words.begin(), words.end(), [](const std::string& word) { return word.starts_with("-"); });
  if (option == words.end()) {
    return words.empty() ? "there are too many words"
                         : fmt::format("'{}' is one word too many; all that the command takes was given before it", words.back());
  }
  const std::string name = option->substr(0, option->find('='));
  return fmt::format("there is no option {}{}", name, suggestion(name, option_names(command)));
}

// Describes what is missing: a command, or arguments of one.
std::string describe_missing(const CLI::App& command, const std::string& text) {
  if (command.get_parent() == nullptr) {
    return "the command is missing; try frond solve A.mtx";
  }
  const std::string name = text.substr(0, text.find(" is required"));
  const CLI::Option* option = command.get_option_no_throw(name);
  const bool is_place = option != nullptr && option->get_positional();
  return is_place ? fmt::format("the {} is missing: frond {} {}", name, command.get_name(), option->get_type_name()) : text;
}

}  // namespace

std::string describe_parse_error(const CLI::App& command, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    return describe_extras(command);
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    constexpr std::string_view kPrefix = "Could not convert: ";
    const std::string text = error.what();
    const std::size_t equals = text.find(" = ");
    if (text.starts_with(kPrefix) && equals != std::string::npos) {
      return fmt::format("{}: '{}' is not a number that it takes", text.substr(kPrefix.size(), equals - kPrefix.size()),
                         text.substr(equals + 3));
    }
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    return describe_missing(command, error.what());
  }
  constexpr std::string_view kMissing = " required ";
  std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && text.find(kMissing) != std::string::npos) {
    return text.substr(0, text.find(':')) + ": its value is missing";
  }
  return text;
}

}  // namespace frond
