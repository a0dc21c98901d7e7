// SPDX-License-Identifier: BSD-3-Clause
// Rewords the errors of CLI11.
#include "tools/program/arguments/parse_error.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "solver/options/option_row.hpp"
#include "solver/options/suggestion.hpp"
#include "tools/program/arguments/named_arguments.hpp"

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

// "matching", "always" => "--set matching=always"; "transpose" => "--operation transpose"; empty if there is nothing like that.
std::string other_spelling(CLI::App& command, const std::string& name, const std::string& value) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string type = option->get_type_name();
    const std::vector<std::string_view> words = words_of(std::string_view(type).substr(0, type.find(':')));
    if (words.size() > 1 && std::find(words.begin(), words.end(), name) != words.end()) {
      return fmt::format("{} {}", option->get_name(), name);
    }
  }
  CLI::Option* set = command.get_option_no_throw("--set");
  for (const auto& [setting, help] : listed_settings(set == nullptr ? "" : set->get_description())) {
    if (setting.starts_with(name + "=")) {
      const std::string meant = fmt::format("{}={}", name, value);
      return fmt::format("--set {}", (*set->get_validator(0))(meant).empty() ? meant : setting);
    }
  }
  return "";
}

// Describes the words that no option or positional argument takes.
std::string describe_extras(CLI::App& command) {
  const std::vector<std::string> words = command.remaining();
  const auto option = std::find_if(words.begin(), words.end(), [](const std::string& word) { return word.starts_with("-"); });
  if (option == words.end()) {
    return words.empty() ? "there are too many words"
                         : fmt::format("'{}' is one word too many; all that the command takes was given before it", words.back());
  }
  const std::size_t equals = option->find('=');
  const std::string name = option->substr(0, equals);
  const std::string value = equals != std::string::npos ? option->substr(equals + 1)
                            : option + 1 == words.end() ? ""
                                                        : *(option + 1);
  if (const std::string other = other_spelling(command, name.starts_with("--") ? name.substr(2) : "", value); !other.empty()) {
    return fmt::format("there is no option {}; write {}", name, other);
  }
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

std::string describe_parse_error(CLI::App& command, const CLI::ParseError& error) {
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
  constexpr std::string_view kTooMany = ": At Most ";
  std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    if (const std::size_t end = text.find(kTooMany); end != std::string::npos) {
      return text.substr(0, end) + ": it is given more than once; leave all but one of them out";
    }
    if (text.find(" required ") != std::string::npos) {
      return text.substr(0, text.find(':')) + ": its value is missing";
    }
  }
  return text;
}

}  // namespace frond
