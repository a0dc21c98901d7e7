// SPDX-License-Identifier: BSD-3-Clause
// Distances between words, and the errors of CLI11.
#include "tools/arguments/parse_error.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <string_view>

namespace frond {
namespace {

// Letters to be put in, left out, replaced, or exchanged with their neighbours (Damerau 1964, restricted).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

// The words that no option and no place takes.
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

// What must be there: a command, or words of one.
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

std::string suggestion(const std::string& word, const std::vector<std::string>& names) {
  const auto nearest = std::min_element(names.begin(), names.end(), [&word](const std::string& a, const std::string& b) {
    return distance(word, a) < distance(word, b);
  });
  const std::size_t most = std::max<std::size_t>(1, word.size() / 4);
  return nearest != names.end() && distance(word, *nearest) <= most ? fmt::format("; did you mean {}?", *nearest) : "";
}

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
