// SPDX-License-Identifier: BSD-3-Clause
// Formats groups and lines to the width of a terminal.
#include "tools/program/arguments/help_formatter.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tools/program/arguments/named_arguments.hpp"

namespace frond {
namespace {

constexpr std::size_t kMostCharacters = 84;  // of a description, next to its option

// Breaks lines between words.
std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string result;
  std::size_t length = 0;
  for (std::string word; words >> word;) {
    if (length > 0 && length + 1 + word.size() > kMostCharacters) {
      result += '\n';
      length = 0;
    } else if (length > 0) {
      result += ' ';
      ++length;
    }
    result += word;
    length += word.size();
  }
  return result;
}

// "K:INT in [1 - 9]" => "1 to 9"
std::string range_of(const std::string& type) {
  const std::size_t begin = type.find(" in [");
  const std::size_t end = type.find(']', begin == std::string::npos ? 0 : begin);
  if (begin == std::string::npos || end == std::string::npos) {
    return "";
  }
  std::string range = type.substr(begin + 5, end - begin - 5);
  range.replace(range.find(" - "), 3, " to ");
  return range;
}

std::vector<const CLI::Option*> options_of(const CLI::App& app, const std::string& group) {
  return app.get_options([&](const CLI::Option* option) { return option->get_group() == group && option->nonpositional(); });
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  if (mode != CLI::AppFormatMode::Normal) {
    return Formatter::make_help(app, std::move(name), mode);
  }
  std::vector<std::string> groups = app->get_groups();
  groups.erase(std::remove_if(groups.begin(), groups.end(),
                              [&](const std::string& group) { return group.empty() || options_of(*app, group).empty(); }),
               groups.end());
  std::string shown;
  std::string others;
  for (const std::string& group : groups) {
    if (group == "Options") {
      shown += make_group(group, false, options_of(*app, group));
    } else {
      others += (others.empty() ? "" : ", ") + group;
    }
  }
  if (!others.empty()) {
    shown += "\nMore options, shown by --help-all: " + others + "\n";
  }
  return make_description(app) + make_usage(app, std::move(name)) + make_positionals(app) + shown + make_subcommands(app, mode) +
         "\n" + make_footer(app);
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  std::ostringstream out;
  out << Formatter::make_option(option, is_positional);
  for (const auto& [name, help] : listed_settings(option->get_description())) {
    CLI::detail::format_help(out, name, wrapped(help), column_width_);
  }
  return out.str();
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  std::string opts;
  if (option->get_type_size() != 0) {
    if (!option->get_type_name().empty()) {
      opts += " " + option->get_type_name().substr(0, option->get_type_name().find(':'));  // the description lists the values
    }
    if (option->get_required()) {
      opts += " (required)";
    }
  }
  return opts;
}

// Appends the permitted values and the default to a description, unless it states them itself.
std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  const std::string& whole = option->get_description();
  const std::string description = whole.substr(0, whole.find('\n'));
  if (description.find("default") != std::string::npos) {
    return wrapped(description);
  }
  std::string facts = range_of(option->get_type_name());
  if (!option->get_default_str().empty()) {
    facts += (facts.empty() ? "" : "; ") + ("default: " + option->get_default_str());
  }
  return wrapped(facts.empty() ? description : description + " (" + facts + ")");
}

}  // namespace frond
