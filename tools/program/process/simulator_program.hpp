// SPDX-License-Identifier: BSD-3-Clause
// The simulator, a program that stands beside frond.
#pragma once

#include <string>
#include <vector>

namespace frond {

/// This process becomes `frond COMMAND` with these arguments, where that is one of the simulator's. Throws UsageError where the
/// simulator was not built, and std::system_error if it cannot be run.
[[noreturn]] void become_simulator(const std::string& command, std::vector<std::string> arguments);

}  // namespace frond
