// SPDX-License-Identifier: BSD-3-Clause
// The options by which frond analyze and frond simulate advise on checkpoints.
#pragma once

#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): the library is called so
class App;
class Option;
}  // namespace CLI

namespace frond {

/// Both need `advise`, and stand beside it. `time` stays empty unless it is given.
void add_failure_options(CLI::App& command, CLI::Option& advise, std::string& time, std::string& folder);

/// Returns seconds. Throws UsageError unless they are above zero.
double check_failure_time(const std::string& time);

}  // namespace frond
