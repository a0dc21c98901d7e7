// SPDX-License-Identifier: BSD-3-Clause
// How help is laid out.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace frond {

/// --help shows what is needed every day, which is in no group of its own, and the names of the groups of all other options;
/// --help-all shows these, too. Texts are wrapped, and which options exclude each other is left to the message that says so.
class HelpFormatter final : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(30); }

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace frond
