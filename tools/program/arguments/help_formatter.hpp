// SPDX-License-Identifier: BSD-3-Clause
// Formats the help texts.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace frond {

/// --help shows the everyday options, which have no group of their own, and the names of the groups of all other options;
/// --help-all shows these, too, and the settings of --set. Texts are wrapped; which options exclude each other is left to the error
/// message.
class HelpFormatter final : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(30); }

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace frond
