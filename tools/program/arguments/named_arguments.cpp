// SPDX-License-Identifier: BSD-3-Clause
// Makes options of CLI11 from rows of the table, and one for all settings.
#include "tools/program/arguments/named_arguments.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <iterator>

#include "frond/error.hpp"
#include "solver/options/suggestion.hpp"

namespace frond {
namespace {

std::string flag_of(std::string_view name) { return "--" + std::string(name); }

bool has_flag(const CLI::App& command, std::string_view name) { return command.get_option_no_throw(flag_of(name)) != nullptr; }

Setting setting_of(const NamedOption& option, const SolverOptions& presets) {
  const auto check = [name = option.name](std::string_view word) {
    SolverOptions scratch;
    set_option(scratch, name, word);
  };
  return {option, option_value(presets, option.name), check, {}};
}

// "Accept pivots by it (0 to 1; default: 0.01)".
std::string help_of(const Setting& setting, std::string_view help = {}) {
  std::string text(help.empty() ? setting.info.meaning : help);
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return fmt::format("{} ({}; default: {})", text, setting.info.values, setting.value);
}

// Returns what is wrong with a word; empty if nothing is.
std::string objection_to(const Setting& setting, const std::string& word) {
  try {
    setting.check(word);
    return "";
  } catch (const UsageError&) {
    const std::string_view values = setting.info.values;
    const bool is_range = std::isdigit(static_cast<unsigned char>(values.front())) != 0;
    return fmt::format("must be {}{}, not {}", is_range ? "a number from " : "", values, word);
  }
}

using Settings = std::vector<Setting>;

Settings::const_iterator find_setting(const Settings& settings, std::string_view name) {
  return std::find_if(settings.begin(), settings.end(), [name](const Setting& known) { return known.info.name == name; });
}

// "matching=always" => "matching", "always".
std::pair<std::string, std::string> split(const std::string& word) {
  const std::size_t equals = word.find('=');
  return {word.substr(0, equals), equals == std::string::npos ? "" : word.substr(equals + 1)};
}

// Does the same for "matching=always".
std::string objection_to(const Settings& settings, const CLI::App& command, const std::string& word) {
  const auto [name, value] = split(word);
  if (const auto setting = find_setting(settings, name); setting != settings.end()) {
    const std::string objection = objection_to(*setting, value);
    return objection.empty() ? "" : name + " " + objection;
  }
  if (has_flag(command, name)) {
    return fmt::format("{} is an option of its own: {}", name, flag_of(name));
  }
  std::vector<std::string> names;
  std::transform(settings.begin(), settings.end(), std::back_inserter(names),
                 [](const Setting& known) { return std::string(known.info.name); });
  return fmt::format("there is no setting '{}'{}", name, suggestion(name, names));
}

}  // namespace

CLI::Option* NamedArguments::add(CLI::App& command, std::string_view name, std::string_view help) {
  const NamedOption& option = named_option(name);
  const Setting setting = setting_of(option, presets());
  return command
      .add_option_function<std::string>(
          flag_of(name), [this, name](const std::string& word) { set(name, word); }, help_of(setting, help))
      ->check([setting](const std::string& word) { return objection_to(setting, word); })
      ->type_name(std::string(option.placeholder))
      ->group(option.group.empty() ? "Options" : std::string(option.group));
}

void NamedArguments::add_group(CLI::App& command, std::string_view group) {
  for (const NamedOption& option : named_options()) {
    if (option.group == group && !option.is_expert && !has_flag(command, option.name)) {
      add(command, option.name);
    }
  }
}

void NamedArguments::add_settings(CLI::App& command, const std::vector<std::string_view>& groups, std::vector<Setting> settings) {
  const SolverOptions of_table = presets();
  for (const NamedOption& option : named_options()) {
    if (option.is_expert && std::find(groups.begin(), groups.end(), option.group) != groups.end() &&
        find_setting(settings, option.name) == settings.end() && !has_flag(command, option.name)) {
      settings.push_back(setting_of(option, of_table));
    }
  }
  std::string help = "Set what seldom needs to be changed, of what follows; may be repeated";
  for (const Setting& setting : settings) {
    help += fmt::format("\n{}={}\t{}", setting.info.name, setting.info.placeholder, help_of(setting));
  }
  const auto take = [this, settings](const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      const auto [name, value] = split(word);
      if (has(name)) {
        throw CLI::ValidationError("--set", name + " is set twice; leave one of them out");
      }
      if (const auto& take_own = find_setting(settings, name)->take; take_own) {
        own_.insert(name);
        take_own(value);
      } else {
        set(name, value);
      }
    }
  };
  command.add_option_function<std::vector<std::string>>("--set", take, help)
      ->check([settings, &command](const std::string& word) { return objection_to(settings, command, word); })
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE")
      ->group("Expert settings");
}

SolverOptions NamedArguments::presets() const {
  SolverOptions options;
  for (const auto& [name, word] : presets_) {
    set_option(options, name, word);
  }
  return options;
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
    const bool is_setting = named_option(name).is_expert;
    command_line.insert(command_line.end(),
                        {is_setting ? "--set" : flag_of(name), is_setting ? fmt::format("{}={}", name, word) : word});
  }
}

std::string spelling_of(const NamedOption& option) {
  return option.is_expert ? fmt::format("--set {}", option.name) : flag_of(option.name);
}

std::vector<std::pair<std::string, std::string>> listed_settings(const std::string& description) {
  std::vector<std::pair<std::string, std::string>> settings;
  const std::vector<std::string> lines = CLI::detail::split(description, '\n');
  std::transform(lines.begin() + 1, lines.end(), std::back_inserter(settings), [](const std::string& line) {
    return std::pair(line.substr(0, line.find('\t')), line.substr(line.find('\t') + 1));
  });
  return settings;
}

}  // namespace frond
