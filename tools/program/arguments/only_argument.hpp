// SPDX-License-Identifier: BSD-3-Clause
// `--only`: pivot results alone, without keeping factors.
#pragma once

#include <string>
#include <vector>

#include "frond/analysis_options.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library is called so
class App;
class Option;
}  // namespace CLI

namespace frond {

/// As on the command line, each once: any of inertia, rank, determinant; empty: everything, and a solve.
using OnlyArgument = std::vector<std::string>;

CLI::Option* add_only_option(CLI::App& command, OnlyArgument& only, const std::string& description);

[[nodiscard]] inline KeptFactors kept_factors(const OnlyArgument& only) {
  return only.empty() ? KeptFactors::all : KeptFactors::none;
}

}  // namespace frond
