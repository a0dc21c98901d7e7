// SPDX-License-Identifier: BSD-3-Clause
// The command line options about load information that `frond solve` and `frond simulate` share.
#pragma once

#include <string>

#include "frond/load_options.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library is called so
class App;
}

namespace frond {

/// Values as given on the command line.
struct ExchangeArguments {
  std::string load_exchange = "partial-snapshot";
  std::string schedule = "flops";
  std::string work = "ring";
  std::string chunks;  ///< empty: not given
  std::string load_thread = "on";
  int load_period_us = 50;
};

/// Adds --work and --chunks, which the help lists under `group`.
void add_work_options(CLI::App& command, const std::string& group, std::string& work, std::string& chunks);
/// Returns the chunk rule. Throws UsageError if a rule is given that has no effect.
[[nodiscard]] ChunkKind parse_chunks(const std::string& work, const std::string& chunks);
void add_exchange_options(CLI::App& command, const std::string& group, ExchangeArguments& arguments);

}  // namespace frond
