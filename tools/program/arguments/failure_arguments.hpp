// SPDX-License-Identifier: BSD-3-Clause
// Options with which frond analyze and frond simulate advise on checkpoints.
#pragma once

#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): the library is called so
class App;
class Option;
}  // namespace CLI

namespace frond {

/// Adds two options next to `advise`, which both require it. `time` stays empty unless it is given.
void add_failure_options(CLI::App& command, CLI::Option& advise, std::string& time, std::string& folder);

/// Returns seconds. Throws UsageError unless they are positive.
double check_failure_time(const std::string& time);

}  // namespace frond
